import { sql } from 'kysely'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'

/** Invalidates all password-reset links of the account. */
export async function endPasswordResets(
  tx: Tx,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
): Promise<void> {
  await tx
    .updateTable('password_reset')
    .set({ ended_at: sql`now()` })
    .where('organization_id', '=', organization_id)
    .where('user_id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}
