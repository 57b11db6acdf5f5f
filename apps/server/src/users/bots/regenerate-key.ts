import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { makeApiKey } from '../../identity/api-keys.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { keyChanged } from '../events.ts'
import { updateUserRow } from '../queries.ts'
import { accessBotToChange } from './access.ts'
import { botKeyChanged } from './events.ts'

type Regenerate = typeof api.bots.regenerateApiKey

export async function regenerateBotKey(
  app: App,
  actor: Actor,
  { bot_id }: ParamsOf<Regenerate>,
): Promise<ResponseOf<Regenerate>> {
  const { api_key, columns } = makeApiKey(app)
  return writeAs(app, actor, async (tx) => {
    const bot = await accessBotToChange(tx, actor, bot_id)
    await updateUserRow(tx, bot.organization_id, bot.id, columns)
    emit(tx, keyChanged(bot))
    emit(tx, botKeyChanged(app, bot, api_key))
    return { api_key }
  })
}
