import { isAdministrator, type OrganizationId, type UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { findUser } from '../../people/users/queries.ts'
import type { Tx } from '../../platform/database/database.ts'
import { lockRoles } from '../../platform/database/locks.ts'
import { listExportRows } from './queries.ts'
import { viewExport } from './views.ts'

/**
 * Emits the list of exports to the person who started one, unless they are no longer an
 * administrator. Takes the role lock; a transaction that also locks the organization must take the
 * role lock first.
 */
export async function emitExports(
  tx: Tx,
  { organization_id, user_id }: { organization_id: OrganizationId; user_id: UserId },
): Promise<void> {
  await lockRoles(tx, organization_id, 'shared')
  const user = await findUser(tx, organization_id, user_id)
  if (!user || !isAdministrator(user.role)) return
  const exports = (await listExportRows(tx, organization_id)).map(viewExport)
  emit(tx, { organization_id, event: { type: 'realm_export', exports }, to: { users: [user_id] } })
}
