import { ApiError, BotInterface, BotType, Role, type StreamId, type UserId } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import { type BotConfig, sealConfig, sealNewToken } from '../../../identity/accounts/service-seals.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { OrganizationRow } from '../../../platform/database/tables.ts'
import { type Avatar, putAvatar } from '../avatar/avatar-files.ts'
import { addAccount } from '../create-user.ts'
import { botAdded } from './events.ts'
import { type AccountKey, changeBotSettings, changeService, getBot, type ShownBot } from './queries.ts'
import { limitByOwner } from './role-limit.ts'

export interface NewBot {
  email: string
  full_name: string
  bot_type: BotType
  bot_owner_id: UserId
  service_name: string | null
  payload_url: string
  interface: BotInterface
  config: BotConfig
  default_sending_stream_id: StreamId | null
  default_events_register_stream_id: StreamId | null
  default_all_public_streams: boolean
  avatar?: Avatar | undefined
}

/** Field values of a bot that has no service and no default streams. */
export const defaultBotFields = {
  service_name: null,
  payload_url: '',
  interface: BotInterface.json,
  config: {},
  default_sending_stream_id: null,
  default_events_register_stream_id: null,
  default_all_public_streams: false,
} as const

/**
 * Creates a bot. The caller holds the role lock exclusively, and has locked the organization's row,
 * so that no other account can take the bot's name.
 */
export async function addBot(
  app: App,
  tx: Tx,
  organization: OrganizationRow,
  bot: NewBot,
): Promise<ShownBot & { api_key: string }> {
  const { email, full_name, bot_type, bot_owner_id, avatar } = bot
  const { id, api_key } = await addAccount(app, tx, organization, {
    email,
    full_name,
    role: await limitByOwner(tx, { organization_id: organization.id, bot_owner_id }, Role.member),
    password_hash: null,
    bot_type,
    bot_owner_id,
    avatar_source: avatar ? 'uploaded' : 'external',
  }).catch((error: unknown) => {
    const isTaken = error instanceof ApiError && error.is('EMAIL_IN_USE')
    throw isTaken ? new ApiError('USERNAME_IN_USE') : error
  })
  const account: AccountKey = { organization_id: organization.id, user_id: id }
  const { default_sending_stream_id, default_events_register_stream_id, default_all_public_streams } = bot
  await changeBotSettings(tx, account, {
    default_sending_stream_id,
    default_events_register_stream_id,
    default_all_public_streams,
  })
  await addService(app, tx, account, bot)
  const added = await getBot(tx, account)
  const { organization_id, avatar_version: version } = added
  // The file is written before the commit, so that no client gets a URL without a file.
  if (avatar) await putAvatar(app.files, { organization_id, id, version }, avatar)
  for (const emission of botAdded(app, added)) emit(tx, emission)
  return { ...added, api_key }
}

async function addService(app: App, tx: Tx, account: AccountKey, bot: NewBot): Promise<void> {
  const { service_name: name, payload_url: base_url, config } = bot
  switch (bot.bot_type) {
    case BotType.generic:
      return
    case BotType.outgoingWebhook: {
      const token_sealed = sealNewToken(app, account)
      return changeService(tx, account, { name, base_url, interface: bot.interface, token_sealed })
    }
    default:
      return changeService(tx, account, { name, config_sealed: sealConfig(app, account, config) })
  }
}
