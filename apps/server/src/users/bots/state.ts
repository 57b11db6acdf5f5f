import type { StateSlice } from '../../events/state-slice.ts'
import { jsonInPieces } from '../../platform/pieces.ts'
import { getOwnAccount } from '../queries.ts'
import { canWatchAllBots } from './access.ts'
import { listBots } from './queries.ts'
import { viewBot } from './views.ts'

export const embeddedBotsState: StateSlice = {
  types: ['realm_embedded_bots'],
  // Embedded bots cannot be created.
  read: async () => ({ realm_embedded_bots: [] }),
}

export const botsState: StateSlice = {
  types: ['realm_bot'],
  async read({ app, actor, db }) {
    // Reads the role in the snapshot of the state, where the queue's events start. The role of the
    // request may be older.
    const me = await getOwnAccount(db, actor)
    const bots = await listBots(db, me.organization_id, canWatchAllBots(me) ? 'anyone' : me.id)
    return { realm_bots: await jsonInPieces(bots, (bot) => JSON.stringify(viewBot(app, bot, me.id))) }
  },
}
