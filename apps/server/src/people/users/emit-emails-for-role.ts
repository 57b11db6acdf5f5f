import { isAdministrator, type Role } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { emailVisibility } from '../../identity/accounts/public-account.ts'
import { getOrganization } from '../../organization/queries.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { emailsShownToViewer } from './events.ts'
import { listShownUsers } from './queries.ts'

/** Limits the memory that one record takes on every node. */
export const maxPersonsPerRecord = 500

/**
 * Emits which delivery addresses a user sees after a change of role: if only administrators see
 * addresses, a new administrator gets all of them, and a former administrator gets null for each.
 * The role lock must be held exclusively, so that no address changes during the call.
 */
export async function emitEmailsForRole(tx: Tx, viewer: UserRow, role: Role): Promise<void> {
  const isSeen = isAdministrator(role)
  if (isSeen === isAdministrator(viewer.role)) return
  const organization = await getOrganization(tx, viewer.organization_id)
  if (organization.email_address_visibility !== emailVisibility.administrators) return

  for await (const piece of listShownUsers(tx, viewer.organization_id, false)) {
    const others = piece.filter(({ id }) => id !== viewer.id)
    for (let start = 0; start < others.length; start += maxPersonsPerRecord)
      emit(tx, emailsShownToViewer(viewer, others.slice(start, start + maxPersonsPerRecord), isSeen))
  }
  // The user's own address comes last: clients always have it, and show it in the list only after
  // they have the addresses of others.
  emit(tx, emailsShownToViewer(viewer, [viewer], isSeen))
}
