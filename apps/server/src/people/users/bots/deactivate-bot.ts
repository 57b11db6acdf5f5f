import type { api, ParamsOf } from '@oxbow/contract'
import { changeRolesAs } from '../../../identity/write-as.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import { deactivate } from '../deactivate-user.ts'
import { accessBotToChange } from './access.ts'

/** Deactivates a bot. Succeeds without a change if it is deactivated already. */
export async function deactivateBot(
  app: App,
  actor: Actor,
  { bot_id }: ParamsOf<typeof api.bots.deactivate>,
): Promise<object> {
  return changeRolesAs(app, actor, async (tx) => {
    const bot = await accessBotToChange(tx, actor, bot_id)
    if (bot.is_active) await deactivate(tx, bot)
    return {}
  })
}
