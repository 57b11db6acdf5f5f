import { ApiError, BotType, Role, type UserId } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import { endQueues } from '../../../events/queue-rows.ts'
import { humanAdministrators } from '../../../identity/accounts/bot-watchers.ts'
import { emitAbout } from '../../../identity/accounts/emit-about.ts'
import { emitSightOfAccounts } from '../../../identity/accounts/emit-sight.ts'
import { sealNewToken } from '../../../identity/accounts/service-seals.ts'
import { hideUploadsFromOwner } from '../../../messages/attachments/queries.ts'
import { deleteReceivedRows } from '../../../messages/delete-received-rows.ts'
import { deleteAllDrafts } from '../../../messages/drafts/queries.ts'
import { deleteAllScheduledMessages } from '../../../messages/scheduled/queries.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { enqueueNotices } from '../../../streams/notices.ts'
import { getPerson } from '../../../streams/queries.ts'
import { forgetPrivateStreams } from '../../../streams/subscriptions/bots-and-owners.ts'
import { botOwnerChanged } from '../events.ts'
import { findUser, updateUserRow } from '../queries.ts'
import { setRole } from '../set-role.ts'
import { canChangeOwner, canWatchAllBots } from './access.ts'
import { refuseTooManyBots } from './bot-limit.ts'
import { removeDefaultStreams } from './default-streams.ts'
import { botAddedToOwner, botChanged, botKeyShown, botServicesChanged, botsDisappeared } from './events.ts'
import { buildBotReceivedNotice, buildBotTakenNotice } from './notices.ts'
import { changeService, getBot } from './queries.ts'
import { replaceKey } from './replace-key.ts'
import { limitRole } from './role-limit.ts'

/**
 * Gives a bot to another person. The bot then acts with the rights of its new owner: its key is
 * replaced, its queues end, its scheduled messages and drafts are deleted, its uploads are hidden from it, its
 * server is forgotten, its role is limited to the owner's role, and it leaves the private streams that the
 * owner may not read.
 * The role lock must be held exclusively.
 */
export async function changeOwner(
  app: App,
  tx: Tx,
  actor: Actor,
  bot: UserRow,
  id: UserId,
): Promise<UserRow> {
  const { organization_id, bot_owner_id } = bot
  // Clients send the unchanged owner when they change other fields.
  if (id === bot_owner_id) return bot
  if (!canChangeOwner(actor, bot)) throw new ApiError('INSUFFICIENT_PERMISSION')
  const owner = await getNewOwner(tx, bot, id)
  await refuseTooManyBots(app, tx, { organization_id, user_id: owner.id })
  const previous = bot_owner_id === null ? undefined : await findUser(tx, organization_id, bot_owner_id)
  await updateUserRow(tx, organization_id, bot.id, { bot_owner_id: owner.id })
  const api_key = await replaceKey(app, tx, bot)
  await endQueues(tx, organization_id, bot.id)
  await deleteUnsentTexts(tx, bot)
  const account = { organization_id, user_id: bot.id }
  await hideUploadsFromOwner(tx, account)
  if (bot.bot_type === BotType.outgoingWebhook) await forgetServer(app, tx, bot)
  const hidden = await forgetPrivateStreams(tx, bot, owner)
  await deleteReceivedRows(tx, account, hidden)
  await removeDefaultStreams(tx, bot, hidden)
  await emitOwnerChange(app, tx, bot, { previous, owner, api_key })
  await enqueueOwnerNotices(tx, actor, bot, { previous, owner })
  const changed = { ...bot, bot_owner_id: owner.id }
  const role = limitRole(bot.role, owner)
  if (role === bot.role) return changed
  await setRole(app, tx, changed, role)
  return { ...changed, role }
}

async function getNewOwner(tx: Tx, { organization_id }: UserRow, id: UserId): Promise<UserRow> {
  const owner = await findUser(tx, organization_id, id)
  if (!owner) throw new ApiError('NEW_BOT_OWNER_UNKNOWN')
  if (!owner.is_active) throw new ApiError('NEW_BOT_OWNER_DEACTIVATED')
  if (owner.bot_type !== null) throw new ApiError('NEW_BOT_OWNER_IS_BOT')
  // Guests cannot create bots either.
  if (owner.role === Role.guest) throw new ApiError('NEW_BOT_OWNER_IS_GUEST')
  return owner
}

/**
 * Deletes the bot's scheduled messages and drafts: texts of the previous owner must neither be sent with
 * the rights of the new owner nor be shown to them. No events are needed, because the queues have ended.
 */
async function deleteUnsentTexts(tx: Tx, { organization_id, id: user_id }: UserRow): Promise<void> {
  await deleteAllScheduledMessages(tx, { organization_id, user_id })
  await deleteAllDrafts(tx, { organization_id, user_id })
}

/**
 * Removes the URL of an outgoing webhook and replaces its token: the server of the previous owner must not
 * get what people write to the bot, and neither owner may know the token of the other one's server.
 */
async function forgetServer(app: App, tx: Tx, { organization_id, id: user_id }: UserRow): Promise<void> {
  const account = { organization_id, user_id }
  await changeService(tx, account, { base_url: '', token_sealed: sealNewToken(app, account) })
}

interface Owners {
  previous: UserRow | undefined
  owner: UserRow
}

/**
 * Emits the change of owner. For owners who are administrators, and see the bot before and after
 * the change, only its key and token change. For other owners the bot disappears or appears.
 */
async function emitOwnerChange(
  app: App,
  tx: Tx,
  bot: UserRow,
  { previous, owner, api_key }: Owners & { api_key: string },
): Promise<void> {
  const botOfNewOwner = await getBot(tx, { organization_id: bot.organization_id, user_id: bot.id })
  const showKey = (key: string, viewer: UserId) => emit(tx, botKeyShown(app, bot, key, viewer))
  if (previous && canWatchAllBots(previous)) showKey('', previous.id)
  else if (previous) emit(tx, botsDisappeared(previous, [bot]))
  emit(tx, botChanged(bot, { owner_id: owner.id }, humanAdministrators))
  if (canWatchAllBots(owner)) showKey(api_key, owner.id)
  else emit(tx, botAddedToOwner(app, botOfNewOwner, owner.id))
  if (bot.bot_type === BotType.outgoingWebhook)
    for (const emission of botServicesChanged(app, botOfNewOwner)) emit(tx, emission)
  await emitAbout(tx, bot, [botOwnerChanged(bot, owner.id)])
  if (previous?.role === Role.guest) await emitSightOfAccounts(tx, bot.organization_id, [previous.id])
}

async function enqueueOwnerNotices(
  tx: Tx,
  actor: Actor,
  bot: UserRow,
  { previous, owner }: Owners,
): Promise<void> {
  const by = await getPerson(tx, actor)
  const notices = [
    ...(previous && previous.id !== actor.user_id ? [buildBotTakenNotice(bot, previous.id, owner, by)] : []),
    ...(owner.id === actor.user_id ? [] : [buildBotReceivedNotice(bot, owner.id, by)]),
  ]
  await enqueueNotices(tx, bot.organization_id, by, notices, { isNews: true })
}
