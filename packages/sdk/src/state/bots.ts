import type { Bot, BotEvent } from '@oxbow/contract'
import { changeEach, keepOnly, withFields } from './shared.ts'
import { type State, withFetched } from './state.ts'

export function applyBotEvent(state: State, event: BotEvent): State {
  if (!state.realm_bots) return state
  return withFetched(state, { realm_bots: changeBots(state.realm_bots, event) })
}

function changeBots(bots: Bot[], event: BotEvent): Bot[] {
  const { user_id } = event.bot
  const changeOne = (fields: Partial<Bot>) =>
    changeEach(bots, (bot) => (bot.user_id === user_id ? withFields(bot, fields) : bot))
  switch (event.op) {
    case 'add':
      return [...bots.filter((bot) => bot.user_id !== user_id), event.bot].sort(byId)
    case 'update':
      return changeOne(event.bot)
    case 'remove':
      return changeOne({ is_active: false })
    case 'delete':
      return keepOnly(bots, (bot) => bot.user_id !== user_id)
    default:
      return bots
  }
}

const byId = (a: Bot, b: Bot): number => a.user_id - b.user_id
