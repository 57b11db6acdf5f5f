import type { api } from '@oxbow/contract'
import type { Routes } from '../../platform/http/bind.ts'
import type { BotCatalog } from './catalog.ts'
import { makeCreateBot } from './create-bot.ts'
import { deactivateBot } from './deactivate-bot.ts'
import { listOwnBots } from './list-bots.ts'
import { regenerateBotKey } from './regenerate-key.ts'
import { readStorage, removeFromStorage, writeStorage } from './storage/storage.ts'
import { makeUpdateBot } from './update-bot.ts'

export const botRoutes = (catalog: BotCatalog): Routes<typeof api.bots> => ({
  create: makeCreateBot(catalog),
  list: listOwnBots,
  update: makeUpdateBot(catalog),
  regenerateApiKey: regenerateBotKey,
  deactivate: deactivateBot,
})

export const botStorageRoutes: Routes<typeof api.botStorage> = {
  read: readStorage,
  write: writeStorage,
  remove: removeFromStorage,
}
