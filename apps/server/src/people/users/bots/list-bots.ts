import type { api, ResponseOf } from '@oxbow/contract'
import { avatarUrl } from '../../../identity/accounts/public-account.ts'
import { openApiKey } from '../../../identity/api-keys.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import { listActiveBots } from './queries.ts'
import { viewDefaults } from './views.ts'

export async function listOwnBots(app: App, actor: Actor): Promise<ResponseOf<typeof api.bots.list>> {
  const bots = await listActiveBots(app.db, actor)
  return {
    bots: bots.map((bot) => ({
      username: bot.delivery_email,
      full_name: bot.full_name,
      api_key: openApiKey(app, bot),
      avatar_url: avatarUrl(app, bot),
      ...viewDefaults(bot),
    })),
  }
}
