import { sql } from 'kysely'
import type { Actor } from '../platform/actor.ts'
import type { Tx } from '../platform/database/database.ts'

type Owner = Pick<Actor, 'organization_id' | 'user_id'>

/** The row that owns an account's settings and lists: whoever changes one holds it first, then reads what it is now. */
export async function lockSettings(tx: Tx, { organization_id, user_id }: Owner): Promise<void> {
  await sql`
    select from user_setting where organization_id = ${organization_id} and user_id = ${user_id}
    for no key update`.execute(tx)
}
