import { Role } from '@oxbow/contract'
import { emit } from '../events/emit.ts'
import { viewPermissions } from '../organization/permissions.ts'
import { getOrganization } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { deleteHiddenMutedTopics, emitSightChanges } from '../streams/sight-changes.ts'
import { removeBotsOfGuest } from '../streams/subscriptions/bots-and-owners.ts'
import { tellSightOfBots } from './bots/sight-of-bots.ts'
import { roleChanged, roleOfInactiveChanged } from './events.ts'
import { listBotsAbove, updateUserRow } from './queries.ts'
import { changeRolePeriods } from './role-periods.ts'
import { tellSightOfEmails } from './sight-of-emails.ts'

/**
 * Gives an account another role and lowers its bots to that role; the bots of a new guest leave the public streams
 * that the guest is not in. A key of a bot must not outlive what its owner may do. The organization's roles must be held alone; whether the change is allowed is decided by the caller.
 */
export async function setRole(app: App, tx: Tx, user: UserRow, role: Role): Promise<void> {
  await updateUserRow(tx, user.organization_id, user.id, { role })
  if (user.is_active) await beginRole(app, tx, user, role)
  else {
    emit(tx, roleOfInactiveChanged(user, role))
    await deleteHiddenMutedTopics(tx, user, role)
  }
  for (const bot of await listBotsAbove(tx, user, role)) await setRole(app, tx, bot, role)
  if (role === Role.guest && user.bot_type === null) await removeBotsOfGuest(tx, user)
}

async function beginRole(app: App, tx: Tx, user: UserRow, role: Role): Promise<void> {
  const at = await changeRolePeriods(tx, user.organization_id, [user.id], role)
  const organization = await getOrganization(tx, user.organization_id)
  emit(tx, roleChanged(user, role, at, viewPermissions(organization, { ...user, role })))
  await tellSightOfEmails(tx, user, role)
  await emitSightChanges(tx, user, role)
  await tellSightOfBots(app, tx, user, role)
}
