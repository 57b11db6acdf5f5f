import type { Role } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { canSeeGroups } from './access.ts'
import { groupAppeared, groupDisappeared } from './events.ts'
import { listGroups } from './queries.ts'
import { listSystemGroups, viewSystemGroupsOfGuest } from './system-groups.ts'

/**
 * Emits which user groups an account can and can no longer see after its role changes. The
 * organization's role lock must be held exclusively, so that no group changes meanwhile.
 */
export async function emitGroupsForRole(
  tx: Tx,
  account: Pick<UserRow, 'organization_id' | 'id' | 'role'>,
  role: Role,
): Promise<void> {
  const isShown = canSeeGroups({ role })
  if (isShown === canSeeGroups(account)) return
  for (const group of await listGroups(tx, account.organization_id))
    emit(tx, isShown ? groupAppeared(group, account) : groupDisappeared(group, account))
  const systemGroups = isShown
    ? await listSystemGroups(tx, account.organization_id)
    : viewSystemGroupsOfGuest(account.id)
  for (const group of systemGroups) emit(tx, { ...groupAppeared(group, account), since: 371 })
}
