import type { Role } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import type { Viewing } from '../views.ts'
import { watchesAllBots } from './access.ts'
import { botsAppeared, botsDisappeared } from './events.ts'
import { listBots } from './queries.ts'

/** A record is read by every node; one with all bots of a large organization would be long. */
const mostInRecord = 200

/**
 * Whoever becomes an administrator is told of all bots, and whoever stops being one that they see their own only. The
 * roles must be held alone: nothing that is shown of bots changes meanwhile.
 */
export async function tellSightOfBots(app: Viewing, tx: Tx, viewer: UserRow, role: Role): Promise<void> {
  const seesAll = watchesAllBots({ ...viewer, role })
  if (seesAll === watchesAllBots(viewer)) return
  const bots = await listBots(tx, viewer.organization_id, 'anyone')
  const others = bots.filter((bot) => bot.bot_owner_id !== viewer.id)
  for (let start = 0; start < others.length; start += mostInRecord) {
    const some = others.slice(start, start + mostInRecord)
    emit(tx, seesAll ? botsAppeared(app, viewer, some) : botsDisappeared(viewer, some))
  }
}
