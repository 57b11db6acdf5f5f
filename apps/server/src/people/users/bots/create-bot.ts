import {
  ApiError,
  type api,
  type BotInterface,
  BotType,
  botInterfaces,
  botTypes,
  type ParamsOf,
  type ResponseOf,
} from '@oxbow/contract'
import { getBotDomain, isEmailAddress, isMailDomain } from '../../../identity/accounts/email-address.ts'
import { avatarUrl } from '../../../identity/accounts/public-account.ts'
import { changeRolesAs } from '../../../identity/write-as.ts'
import { getOrganization, lockOrganization } from '../../../organization/queries.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { Config } from '../../../platform/config/settings.ts'
import type { Db } from '../../../platform/database/database.ts'
import { drawUpload } from '../avatar/change-avatar.ts'
import { checkFullName } from '../full-name.ts'
import { findUserByDeliveryEmail, isNameOfAccount } from '../queries.ts'
import { addBot, type NewBot } from './add-bot.ts'
import { refuseTooManyBots } from './bot-limit.ts'
import { type BotCatalog, checkEmbedded, checkIntegration, refuseLongConfig } from './catalog.ts'
import { refuseUnlessMayCreate } from './creation-policy.ts'
import { findDefaultStream } from './default-streams.ts'
import { viewDefaults } from './views.ts'

type Create = typeof api.bots.create
type CreateParams = ParamsOf<Create>

export function makeCreateBot(catalog: BotCatalog) {
  return async function createBot(app: App, actor: Actor, params: CreateParams): Promise<ResponseOf<Create>> {
    const named = readBotNames(app.config, actor.origin, params)
    // Checked before the avatar is drawn, which is expensive, and again after the locks are taken.
    await checkDraft(app.db, catalog, actor, params, named)
    await refuseTooManyBots(app, app.db, actor)
    const [file] = params.files
    const avatar = file && (await drawUpload(file))
    return changeRolesAs(app, actor, async (tx) => {
      const organization = await lockOrganization(tx, actor.organization_id)
      const draft = await checkDraft(tx, catalog, actor, params, named)
      await refuseTooManyBots(app, tx, actor)
      const bot = await addBot(app, tx, organization, { ...draft, avatar })
      return {
        user_id: bot.id,
        api_key: bot.api_key,
        avatar_url: avatarUrl(app, bot),
        ...viewDefaults(bot),
      }
    })
  }
}

export type BotNames = Pick<NewBot, 'email' | 'full_name' | 'service_name'>

/** Returns the address, full name and service of a new bot, or throws if one of them is invalid. */
export function readBotNames(
  config: Config,
  origin: string,
  params: Pick<CreateParams, 'full_name' | 'short_name' | 'service_name' | 'bot_type'>,
): BotNames {
  const short_name = params.short_name.trim()
  if (short_name === '') throw new ApiError('BAD_EMAIL')
  const full_name = checkFullName(params.full_name)
  const domain = getBotDomain(config, origin)
  if (!isMailDomain(domain)) throw new ApiError('BOT_DOMAIN_INVALID')
  // An incoming webhook without a service name accepts all integrations.
  const defaultServiceName = params.bot_type === BotType.incomingWebhook ? null : short_name
  const service_name = params.service_name || defaultServiceName
  // The server has no embedded programs.
  if (params.bot_type === BotType.embedded) throw new ApiError('EMBEDDED_BOTS_DISABLED')
  const email = `${short_name}-bot@${domain}`
  if (!isEmailAddress(email)) throw new ApiError('BAD_EMAIL')
  return { email, full_name, service_name }
}

/** Checks the other parameters of a new bot, in the order of the protocol. */
async function checkDraft(
  db: Db,
  catalog: BotCatalog,
  actor: Actor,
  params: CreateParams,
  named: BotNames,
): Promise<NewBot> {
  const { organization_id, user_id: bot_owner_id } = actor
  await refuseTakenNames(db, organization_id, named)
  refuseUnlessMayCreate(actor, await getOrganization(db, organization_id), params.bot_type)
  const bot_type = botTypes.find((type) => type === params.bot_type)
  if (bot_type === undefined) throw new ApiError('BOT_TYPE_INVALID')
  const botInterface = readInterface(params.interface_type)
  if (params.files.length > 1) throw new ApiError('ONE_FILE_AT_A_TIME')
  const sending = await findDefaultStream(db, actor, params.default_sending_stream)
  const events = await findDefaultStream(db, actor, params.default_events_register_stream)
  const config = params.config_data ?? {}
  checkConfig(catalog, { ...named, bot_type, config })
  return {
    ...named,
    bot_type,
    bot_owner_id,
    payload_url: params.payload_url ?? '',
    interface: botInterface,
    config,
    default_sending_stream_id: sending?.id ?? null,
    default_events_register_stream_id: events?.id ?? null,
    default_all_public_streams: params.default_all_public_streams ?? false,
  }
}

/** Throws if another account has the name or address, because the bot could impersonate it. */
export async function refuseTakenNames(
  db: Db,
  organization_id: Actor['organization_id'],
  { email, full_name }: BotNames,
): Promise<void> {
  if (await findUserByDeliveryEmail(db, organization_id, email)) throw new ApiError('USERNAME_IN_USE')
  if (await isNameOfAccount(db, organization_id, full_name)) throw new ApiError('NAME_IN_USE')
}

export function readInterface(interfaceCode: number): BotInterface {
  const botInterface = botInterfaces.find((code) => code === interfaceCode)
  if (botInterface === undefined) throw new ApiError('BOT_INTERFACE_INVALID')
  return botInterface
}

/** Checks the configuration of incoming webhooks and embedded bots; ignores that of other types. */
export function checkConfig(
  catalog: BotCatalog,
  { bot_type, service_name, config }: Pick<NewBot, 'bot_type' | 'service_name' | 'config'>,
): void {
  if (bot_type !== BotType.incomingWebhook && bot_type !== BotType.embedded) return
  if (service_name !== null) {
    const check = bot_type === BotType.embedded ? checkEmbedded : checkIntegration
    check(catalog, service_name, config)
  }
  refuseLongConfig(config)
}
