import { ApiError, type api, BotType, type ParamsOf } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import { type BotConfig, openConfig, sealConfig } from '../../../identity/accounts/service-seals.ts'
import { deleteAllScheduledMessages } from '../../../messages/scheduled/queries.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { accountInvalidated } from '../events.ts'
import type { BotCatalog } from './catalog.ts'
import { checkConfig, readInterface } from './create-bot.ts'
import { botServicesChanged } from './events.ts'
import { changeService, getBot } from './queries.ts'

type ServiceParams = Pick<ParamsOf<typeof api.bots.update>, 'service_payload_url' | 'service_interface'>

/**
 * Changes URL and interface of an outgoing webhook. Omitted values stay unchanged. Only the owner may change
 * the URL, because the server there gets the messages for the bot and its token.
 */
export async function changePayload(
  app: App,
  tx: Tx,
  actor: Actor,
  bot: UserRow,
  params: ServiceParams,
): Promise<void> {
  const { service_payload_url: base_url, service_interface } = params
  const botInterface = service_interface === undefined ? undefined : readInterface(service_interface)
  if (bot.bot_type !== BotType.outgoingWebhook) {
    if (base_url !== undefined) throw new ApiError('BOT_WITHOUT_PAYLOAD_URL')
    // Clients send the interface with every change of any bot, so it is ignored for other types.
    return
  }
  if (base_url === undefined && botInterface === undefined) return
  if (base_url !== undefined && bot.bot_owner_id !== actor.user_id) {
    const { service } = await getBot(tx, getAccountKey(bot))
    // Clients send the unchanged URL when they change other fields.
    if (service?.base_url !== base_url) throw new ApiError('INSUFFICIENT_PERMISSION')
  }
  await changeService(tx, getAccountKey(bot), {
    ...(base_url !== undefined && { base_url }),
    ...(botInterface !== undefined && { interface: botInterface }),
  })
  await emitServices(app, tx, bot)
}

/**
 * Merges the given entries into the configuration of a bot. A secret of an incoming webhook also
 * deletes its scheduled messages, which were not signed. No events are needed, because incoming
 * webhooks have no queues.
 */
export async function changeConfig(
  app: App,
  tx: Tx,
  catalog: BotCatalog,
  bot: UserRow,
  added: BotConfig,
): Promise<void> {
  const { bot_type } = bot
  if (Object.keys(added).length === 0) return
  if (bot_type !== BotType.incomingWebhook && bot_type !== BotType.embedded)
    throw new ApiError('BOT_WITHOUT_CONFIG')
  const { service } = await getBot(tx, getAccountKey(bot))
  const config = { ...(service && openConfig(app, getAccountKey(bot), service)), ...added }
  checkConfig(catalog, { bot_type, service_name: service?.name ?? null, config })
  await changeService(tx, getAccountKey(bot), { config_sealed: sealConfig(app, getAccountKey(bot), config) })
  if (bot_type === BotType.embedded) await emitServices(app, tx, bot)
  // Nodes cache the configuration of webhooks, which contains their secrets.
  else emit(tx, accountInvalidated(bot))
  if (bot_type === BotType.incomingWebhook && added.webhook_secret)
    await deleteAllScheduledMessages(tx, getAccountKey(bot))
}

async function emitServices(app: App, tx: Tx, bot: UserRow): Promise<void> {
  for (const emission of botServicesChanged(app, await getBot(tx, getAccountKey(bot)))) emit(tx, emission)
}

const getAccountKey = ({ organization_id, id }: UserRow) => ({ organization_id, user_id: id })
