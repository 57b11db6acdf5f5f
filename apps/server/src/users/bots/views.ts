import { type Bot, type BotService, BotType } from '@oxbow/contract'
import { avatarUrl } from '../../organization/avatar.ts'
import type { Viewing } from '../views.ts'
import { openConfig } from './config-data.ts'
import type { ShownBot } from './queries.ts'

/** What only a bot's watchers may know. Records of the log hold it sealed. */
export type BotSecrets = Pick<Bot, 'api_key' | 'services'>

export function viewBot(app: Viewing, bot: ShownBot): Bot {
  return { ...viewOpenly(app, bot), ...viewSecrets(app, bot) }
}

export function viewOpenly(app: Viewing, bot: ShownBot): Omit<Bot, keyof BotSecrets> {
  return {
    user_id: bot.id,
    email: bot.delivery_email,
    full_name: bot.full_name,
    bot_type: bot.bot_type,
    is_active: bot.is_active,
    owner_id: bot.bot_owner_id,
    avatar_url: avatarUrl(app, bot),
    ...viewDefaults(bot),
  }
}

export function viewSecrets(app: Viewing, bot: ShownBot): BotSecrets {
  return { api_key: app.secrets.decrypt(bot.api_key_sealed), services: viewServices(app, bot) }
}

export function viewDefaults(bot: ShownBot) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = bot
  return { default_sending_stream, default_events_register_stream, default_all_public_streams }
}

/** Of incoming webhooks none is shown: what is set of them is for us. */
export function viewServices(app: Viewing, { bot_type, service }: ShownBot): BotService[] {
  if (!service) return []
  if (bot_type === BotType.outgoingWebhook) {
    const { base_url, interface: how, token_sealed } = service
    return [{ base_url, interface: how, token: token_sealed ? app.secrets.decrypt(token_sealed) : '' }]
  }
  if (bot_type !== BotType.embedded) return []
  return [{ service_name: service.name ?? '', config_data: { ...openConfig(app, service) } }]
}
