import { emit } from '../events/emit.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { userAdded } from './events.ts'
import { findShownUser } from './queries.ts'

/** Tells of an account that is active from this outbox id on, with the profile that it may have from before. */
export async function emitUserAdded(
  app: Pick<App, 'config' | 'secrets'>,
  tx: Tx,
  user: Pick<UserRow, 'organization_id' | 'id'>,
  at: number,
): Promise<void> {
  const shown = await findShownUser(tx, user, true)
  if (!shown) throw new Error(`user ${user.id} is gone in the transaction that adds them`)
  for (const emission of userAdded(app, shown, at)) emit(tx, emission)
}
