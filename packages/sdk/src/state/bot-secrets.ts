import type { Bot, BotEvent, BotService, Event } from '@oxbow/contract'
import { changeEach, withFields } from './shared.ts'
import type { State } from './state.ts'

/**
 * Returns the state without the API keys, tokens and configurations of bots; the same object if it
 * has none.
 */
export function omitBotSecrets(state: State): State {
  if (!state.realm_bots) return state
  return withFields(state, { realm_bots: changeEach(state.realm_bots, omitSecrets) })
}

/** Returns the event without API keys, tokens and configurations of bots. */
export const omitEventSecrets = (event: Event): Event =>
  event.type === 'realm_bot' ? ({ ...event, bot: omitSecrets(event.bot) } as BotEvent) : event

/** Empties the secrets of a bot. The given fields may be those of an event about a change. */
function omitSecrets<Fields extends Partial<Bot>>(bot: Fields): Fields {
  const { api_key, services } = bot
  return withFields<Partial<Bot>>(bot, {
    ...(api_key !== undefined && { api_key: '' }),
    ...(services && { services: changeEach(services, omitServiceSecrets) }),
  }) as Fields
}

function omitServiceSecrets(service: BotService): BotService {
  if ('token' in service) return withFields(service, { token: '' })
  return Object.keys(service.config_data).length === 0 ? service : { ...service, config_data: {} }
}
