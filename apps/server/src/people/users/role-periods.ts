import type { OrganizationId, Role, UserId } from '@oxbow/contract'
import type { Tx } from '../../platform/database/database.ts'
import { allocateBounds } from '../../platform/database/period-bounds.ts'

/**
 * Ends the current role periods of these users and, unless they are deactivated, begins new ones.
 * Returns the outbox id at which the change takes effect. The role lock must be held exclusively,
 * so that no event for an audience of roles can get an id on the wrong side of the change.
 */
export async function changeRolePeriods(
  tx: Tx,
  organization_id: OrganizationId,
  users: UserId[],
  role: Role | 'deactivated',
): Promise<number> {
  const { outbox, message } = await allocateBounds(tx)
  await tx
    .updateTable('role_period')
    .set({ to_outbox_id: outbox, to_message_id: message })
    .where('organization_id', '=', organization_id)
    .where('user_id', 'in', users)
    .where('to_outbox_id', 'is', null)
    .execute()
  if (role === 'deactivated') return outbox
  const opened = { organization_id, role, from_outbox_id: outbox, from_message_id: message }
  await tx
    .insertInto('role_period')
    .values(users.map((user_id) => ({ ...opened, user_id })))
    .execute()
  return outbox
}
