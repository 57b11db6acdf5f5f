import { sql } from 'kysely'
import type { Tx } from '../../platform/database/database.ts'
import type { EmailChangeRow, UserRow } from '../../platform/database/tables.ts'
import type { SealBinding } from '../../platform/secrets/seal.ts'

type Account = Pick<UserRow, 'organization_id' | 'id'>

export type BoundEmailChange = Pick<EmailChangeRow, 'organization_id' | 'user_id' | 'new_email'>

/** Returns the seal binding of the key in a link that confirms a new address. */
export const sealBindingOfEmailChange = (change: BoundEmailChange): SealBinding => {
  return ['e-mail change', change.organization_id, change.user_id, change.new_email]
}

/** SQL condition: the link is less than a day old, and therefore valid. */
export const isRecentChange = sql<boolean>`email_change.created_at > now() - interval '1 day'`

/**
 * Invalidates all links with which the account could confirm a new e-mail address. `endLinks` also
 * invalidates password-reset links.
 */
export async function endEmailChanges(tx: Tx, { organization_id, id }: Account): Promise<void> {
  await tx
    .updateTable('email_change')
    .set({ ended_at: sql`now()` })
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

export async function countRecentEmailChanges(tx: Tx, { organization_id, id }: Account): Promise<number> {
  const { changes } = await tx
    .selectFrom('email_change')
    .select((eb) => eb.fn.countAll<number>().as('changes'))
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', id)
    .where(isRecentChange)
    .executeTakeFirstOrThrow()
  return changes
}
