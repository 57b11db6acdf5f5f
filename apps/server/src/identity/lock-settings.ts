import { sql } from 'kysely'
import type { Actor } from '../platform/actor.ts'
import type { Tx } from '../platform/database/database.ts'

type SettingsOwner = Pick<Actor, 'organization_id' | 'user_id'>

/**
 * Locks the row that guards an account's settings and lists. Call this before reading the data that
 * will be changed.
 */
export async function lockSettings(tx: Tx, { organization_id, user_id }: SettingsOwner): Promise<void> {
  await sql`
    select from user_setting where organization_id = ${organization_id} and user_id = ${user_id}
    for no key update`.execute(tx)
}
