import { type Bot, type BotService, BotType, type UserId } from '@oxbow/contract'
import { openApiKey } from '../../identity/api-keys.ts'
import { avatarUrl } from '../../organization/avatar.ts'
import type { Viewing } from '../views.ts'
import type { ShownBot } from './queries.ts'
import { openConfig, openToken } from './service-seals.ts'

/** What only a bot's watchers may know. Records of the log hold it sealed. */
export type BotSecrets = Pick<Bot, 'api_key' | 'services'>

/** As this account is shown it: key and token are for the owner alone. The key acts with the owner's rights. */
export function viewBot(app: Viewing, bot: ShownBot, viewer: UserId): Bot {
  return { ...viewOpenly(app, bot), ...viewSecrets(app, bot, viewer === bot.bot_owner_id) }
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

export function viewSecrets(app: Viewing, bot: ShownBot, isOwner: boolean): BotSecrets {
  return {
    api_key: isOwner ? openApiKey(app, bot) : '',
    services: viewServices(app, bot, isOwner),
  }
}

export function viewDefaults(bot: ShownBot) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = bot
  return { default_sending_stream, default_events_register_stream, default_all_public_streams }
}

/** Services of incoming webhooks are not shown. The token is for the owner alone: services trust what is sent with it. */
export function viewServices(
  app: Viewing,
  { organization_id, id, bot_type, service }: ShownBot,
  isOwner: boolean,
): BotService[] {
  if (!service) return []
  const place = { organization_id, user_id: id }
  if (bot_type === BotType.outgoingWebhook) {
    const { base_url, interface: how } = service
    return [{ base_url, interface: how, token: isOwner ? openToken(app, place, service) : '' }]
  }
  if (bot_type !== BotType.embedded) return []
  return [{ service_name: service.name ?? '', config_data: { ...openConfig(app, place, service) } }]
}
