import { type Bot, type BotService, BotType, type UserId } from '@oxbow/contract'
import { avatarUrl } from '../../../identity/accounts/public-account.ts'
import { openConfig, openToken } from '../../../identity/accounts/service-seals.ts'
import { openApiKey } from '../../../identity/api-keys.ts'
import type { ViewDependencies } from '../views.ts'
import type { ShownBot } from './queries.ts'

/** Fields that only watchers of the bot get. Records of the log contain them sealed. */
export type BotSecrets = Pick<Bot, 'api_key' | 'services'>

/**
 * Returns a bot for this viewer. Only the owner gets the key and the token, because they grant
 * rights of the owner.
 */
export function viewBot(app: ViewDependencies, bot: ShownBot, viewer: UserId): Bot {
  return { ...viewWithoutSecrets(app, bot), ...viewSecrets(app, bot, viewer === bot.bot_owner_id) }
}

export function viewWithoutSecrets(app: ViewDependencies, bot: ShownBot): Omit<Bot, keyof BotSecrets> {
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

export function viewSecrets(app: ViewDependencies, bot: ShownBot, isOwner: boolean): BotSecrets {
  return {
    api_key: isOwner ? openApiKey(app, bot) : '',
    services: viewServices(app, bot, isOwner),
  }
}

export function viewDefaults(bot: ShownBot) {
  const { default_sending_stream, default_events_register_stream, default_all_public_streams } = bot
  return { default_sending_stream, default_events_register_stream, default_all_public_streams }
}

/**
 * Returns the services of a bot; an empty list for incoming webhooks. Only the owner gets the
 * token, with which this server authenticates to the service.
 */
export function viewServices(
  app: ViewDependencies,
  { organization_id, id, bot_type, service }: ShownBot,
  isOwner: boolean,
): BotService[] {
  if (!service) return []
  const account = { organization_id, user_id: id }
  if (bot_type === BotType.outgoingWebhook) {
    const { base_url, interface: botInterface } = service
    return [{ base_url, interface: botInterface, token: isOwner ? openToken(app, account, service) : '' }]
  }
  if (bot_type !== BotType.embedded) return []
  return [{ service_name: service.name ?? '', config_data: { ...openConfig(app, account, service) } }]
}
