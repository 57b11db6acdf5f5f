import type { api } from '@oxbow/contract'
import { listServices } from '@oxbow/integrations'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import { sealBindingOfConfig, sealBindingOfToken } from '../../identity/accounts/service-seals.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { jsonInPieces } from '../../platform/pieces.ts'
import { sealedColumn } from '../../platform/secrets/reseal.ts'
import { removeAvatarFiles } from './avatar/avatar-files.ts'
import { avatarPages } from './avatar/avatar-pages.ts'
import { avatarFileReferences } from './avatar/queries.ts'
import { canWatchAllBots } from './bots/access.ts'
import { type BotCatalog, createBotCatalog } from './bots/catalog.ts'
import { makeCreateBot } from './bots/create-bot.ts'
import { deactivateBot } from './bots/deactivate-bot.ts'
import { botEventShape } from './bots/event-shape.ts'
import { listOwnBots } from './bots/list-bots.ts'
import { listBots } from './bots/queries.ts'
import { regenerateBotKey } from './bots/regenerate-key.ts'
import { readStorage, removeFromStorage, writeStorage } from './bots/storage/storage.ts'
import { makeUpdateBot } from './bots/update-bot.ts'
import { viewBot } from './bots/views.ts'
import { deleteOldEmailChanges, mailEmailChange } from './change-email.ts'
import { mailEmailChanged } from './confirm-email.ts'
import { confirmEmailPages } from './confirm-email-page.ts'
import { sealBindingOfEmailChange } from './email-changes.ts'
import { userEventShape } from './event-shape.ts'
import { getOwnAccount } from './queries.ts'
import { userRoutes } from './routes.ts'
import { usersState } from './state.ts'

const botRoutes = (catalog: BotCatalog): Routes<typeof api.bots> => ({
  create: makeCreateBot(catalog),
  list: listOwnBots,
  update: makeUpdateBot(catalog),
  regenerateApiKey: regenerateBotKey,
  deactivate: deactivateBot,
})

const botStorageRoutes: Routes<typeof api.botStorage> = {
  read: readStorage,
  write: writeStorage,
  remove: removeFromStorage,
}

const embeddedBotsState: StateSlice = {
  types: ['realm_embedded_bots'],
  // Embedded bots cannot be created.
  read: async () => ({ realm_embedded_bots: [] }),
}

const botsState: StateSlice = {
  types: ['realm_bot'],
  async read({ app, actor, db }) {
    // Reads the role in the snapshot of the state, where the queue's events start. The role of the
    // request may be older.
    const me = await getOwnAccount(db, actor)
    const bots = await listBots(db, me.organization_id, canWatchAllBots(me) ? 'anyone' : me.id)
    return { realm_bots: await jsonInPieces(bots, (bot) => JSON.stringify(viewBot(app, bot, me.id))) }
  },
}

/** Accounts, profiles, avatars, bots, and the user's own name, address and password. */
export const usersFeature = {
  routes: {
    users: userRoutes,
    bots: botRoutes(createBotCatalog(await listServices())),
    botStorage: botStorageRoutes,
  },
  pages: (app) => [...confirmEmailPages(app), ...avatarPages(app)],
  state: [usersState, botsState, embeddedBotsState],
  eventShapes: (app) => [userEventShape(app), botEventShape(app.secrets)],
  jobs: [mailEmailChange, mailEmailChanged, deleteOldEmailChanges, removeAvatarFiles],
  files: { required: [avatarFileReferences] },
  fileFolders: ['avatars'],
  seals: [
    sealedColumn({
      table: 'bot_service',
      id: 'user_id',
      column: 'token_sealed',
      binding: sealBindingOfToken,
    }),
    sealedColumn({
      table: 'bot_service',
      id: 'user_id',
      column: 'config_sealed',
      binding: sealBindingOfConfig,
    }),
    sealedColumn({
      table: 'email_change',
      id: 'id',
      column: 'key_sealed',
      boundColumns: ['user_id', 'new_email'],
      binding: sealBindingOfEmailChange,
    }),
  ],
} satisfies Feature
