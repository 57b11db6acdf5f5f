import type { Role } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import type { ViewDependencies } from '../views.ts'
import { canWatchAllBots } from './access.ts'
import { botsAppeared, botsDisappeared } from './events.ts'
import { listBots } from './queries.ts'

/** Limits the memory that one record takes on every node. */
const maxBotsPerRecord = 200

/**
 * Emits which bots a user sees after a change of role: a new administrator sees all bots, and a
 * former administrator only their own. The role lock must be held exclusively, so that no bot
 * changes during the call.
 */
export async function emitBotsForRole(
  app: ViewDependencies,
  tx: Tx,
  viewer: UserRow,
  role: Role,
): Promise<void> {
  const seesAll = canWatchAllBots({ ...viewer, role })
  if (seesAll === canWatchAllBots(viewer)) return
  const bots = await listBots(tx, viewer.organization_id, 'anyone')
  const others = bots.filter((bot) => bot.bot_owner_id !== viewer.id)
  for (let start = 0; start < others.length; start += maxBotsPerRecord) {
    const chunk = others.slice(start, start + maxBotsPerRecord)
    emit(tx, seesAll ? botsAppeared(app, viewer, chunk) : botsDisappeared(viewer, chunk))
  }
}
