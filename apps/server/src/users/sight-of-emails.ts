import { isAdministrator, type Role } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { visibleTo } from '../organization/display-email.ts'
import { getOrganization } from '../organization/queries.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { sightOfEmailsChanged } from './events.ts'
import { listShownUsers } from './queries.ts'

/** A record of more would be long in every window that holds it. */
export const mostInRecord = 500

/**
 * Where only administrators see real addresses, whoever becomes one is told all of them, and whoever stops being one
 * that they see none. The roles must be held alone: no address changes meanwhile.
 */
export async function tellSightOfEmails(tx: Tx, viewer: UserRow, role: Role): Promise<void> {
  const isSeen = isAdministrator(role)
  if (isSeen === isAdministrator(viewer.role)) return
  const organization = await getOrganization(tx, viewer.organization_id)
  if (organization.email_address_visibility !== visibleTo.administrators) return

  for await (const piece of listShownUsers(tx, viewer.organization_id, false)) {
    const others = piece.filter(({ id }) => id !== viewer.id)
    for (let start = 0; start < others.length; start += mostInRecord)
      emit(tx, sightOfEmailsChanged(viewer, others.slice(start, start + mostInRecord), isSeen))
  }
  // Last: clients know by the others that their own address, which they always know, is shown in the list as well.
  emit(tx, sightOfEmailsChanged(viewer, [viewer], isSeen))
}
