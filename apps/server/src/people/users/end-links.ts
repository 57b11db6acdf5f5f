import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { endPasswordResets } from '../../sign-in/end-password-resets.ts'
import { endEmailChanges } from './email-changes.ts'

/**
 * Invalidates all open links of an account: those that confirm a new address and those that set a
 * new password. Call it when a key, password or address is replaced, because an attacker may have
 * requested the links.
 */
export async function endLinks(tx: Tx, user: Pick<UserRow, 'organization_id' | 'id'>): Promise<void> {
  await endEmailChanges(tx, user)
  await endPasswordResets(tx, user)
}
