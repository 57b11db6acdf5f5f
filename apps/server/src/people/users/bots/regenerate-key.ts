import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import { writeAs } from '../../../identity/write-as.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import { enqueueNotices } from '../../../streams/notices.ts'
import { getPerson } from '../../../streams/queries.ts'
import { accessBotToChange, mayHaveBotKey } from './access.ts'
import { botKeyShown } from './events.ts'
import { buildNewKeyNotice } from './notices.ts'
import { replaceKey } from './replace-key.ts'

type Regenerate = typeof api.bots.regenerateApiKey

/**
 * Replaces the key of a bot. Only the owner gets the new key, because it grants rights of the owner
 * and access to the private streams of the bot. If an administrator calls this, the response
 * contains an empty key, and the owner gets a notice.
 */
export async function regenerateBotKey(
  app: App,
  actor: Actor,
  { bot_id }: ParamsOf<Regenerate>,
): Promise<ResponseOf<Regenerate>> {
  return writeAs(app, actor, async (tx) => {
    const bot = await accessBotToChange(tx, actor, bot_id)
    if (!mayHaveBotKey(actor, bot)) throw new ApiError('INSUFFICIENT_PERMISSION')
    const api_key = await replaceKey(app, tx, bot)
    const { bot_owner_id: owner } = bot
    if (owner !== null) emit(tx, botKeyShown(app, bot, api_key, owner))
    if (owner === actor.user_id) return { api_key }
    if (owner !== null) {
      const by = await getPerson(tx, actor)
      await enqueueNotices(tx, bot.organization_id, by, [buildNewKeyNotice(bot, owner, by)], { isNews: true })
    }
    return { api_key: '' }
  })
}
