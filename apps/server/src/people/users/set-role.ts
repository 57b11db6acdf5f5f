import { Role } from '@oxbow/contract'
import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { emitSightOfAccounts } from '../../identity/accounts/emit-sight.ts'
import { emitNoticeStreamsForRole } from '../../organization/notification-streams.ts'
import { viewPermissions } from '../../organization/permissions.ts'
import { getOrganization } from '../../organization/queries.ts'
import { emitGroupsForRole } from '../../organization/user-groups/emit-groups-for-role.ts'
import { emitSystemGroups } from '../../organization/user-groups/system-groups.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { deleteHiddenAttention, emitStreamsForRole } from '../../streams/emit-streams-for-role.ts'
import { removeBotsOfGuest } from '../../streams/subscriptions/bots-and-owners.ts'
import { clearDefaultsOfGuest } from './bots/default-streams.ts'
import { emitBotsForRole } from './bots/emit-bots-for-role.ts'
import { emitEmailsForRole } from './emit-emails-for-role.ts'
import { roleChanged, roleOfInactiveChanged } from './events.ts'
import { listBotsAboveRole, updateUserRow } from './queries.ts'
import { changeRolePeriods } from './role-periods.ts'

/**
 * Gives an account another role. Lowers the roles of its bots to that role, because the owner has
 * their keys. The bots of a new guest leave the public streams that the guest is not subscribed to,
 * and lose default streams that the guest cannot see. The caller checks permissions and holds the role lock exclusively.
 */
export async function setRole(app: App, tx: Tx, user: UserRow, role: Role): Promise<void> {
  await updateUserRow(tx, user.organization_id, user.id, { role })
  if (user.is_active) await beginRole(app, tx, user, role)
  else {
    await emitAbout(tx, user, [roleOfInactiveChanged(user, role)])
    await deleteHiddenAttention(tx, user, role)
  }
  for (const bot of await listBotsAboveRole(tx, user, role)) await setRole(app, tx, bot, role)
  if (role === Role.guest && user.bot_type === null) {
    await removeBotsOfGuest(tx, user)
    await clearDefaultsOfGuest(tx, user)
  }
}

async function beginRole(app: App, tx: Tx, user: UserRow, role: Role): Promise<void> {
  const at = await changeRolePeriods(tx, user.organization_id, [user.id], role)
  const organization = await getOrganization(tx, user.organization_id)
  const permissions = viewPermissions(organization, { ...user, role })
  await emitAbout(tx, user, [roleChanged(user, role, at, permissions)])
  if (user.role !== role && [user.role, role].includes(Role.guest))
    await emitSightOfAccounts(tx, user.organization_id, [user.id])
  await emitEmailsForRole(tx, user, role)
  await emitSystemGroups(tx, user.organization_id, [{ id: user.id, before: user.role, after: role }])
  await emitGroupsForRole(tx, user, role)
  await emitStreamsForRole(tx, user, role)
  await emitNoticeStreamsForRole(tx, user, role)
  await emitBotsForRole(app, tx, user, role)
}
