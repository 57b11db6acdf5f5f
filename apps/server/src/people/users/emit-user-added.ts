import { emitAbout } from '../../identity/accounts/emit-about.ts'
import { emitSystemGroups } from '../../organization/user-groups/system-groups.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { userAdded } from './events.ts'
import { findShownUser } from './queries.ts'

/**
 * Emits that an account is active from the outbox id `at` on. A reactivated account keeps its
 * profile.
 */
export async function emitUserAdded(
  app: Pick<App, 'config' | 'secrets'>,
  tx: Tx,
  user: Pick<UserRow, 'organization_id' | 'id' | 'role'>,
  at: number,
): Promise<void> {
  const shown = await findShownUser(tx, user, true)
  if (!shown) throw new Error(`user ${user.id} does not exist in the transaction that adds it`)
  await emitAbout(tx, user, userAdded(app, shown, at))
  await emitSystemGroups(tx, user.organization_id, [{ id: user.id, before: null, after: user.role }])
}
