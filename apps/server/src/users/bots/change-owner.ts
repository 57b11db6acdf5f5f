import { ApiError, BotType, Role, type UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { endQueues } from '../../events/queue-rows.ts'
import { forgetReceived } from '../../messages/forget-received.ts'
import { humanAdministrators } from '../../organization/bot-watchers.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow, UserRow } from '../../platform/database/tables.ts'
import { enqueueNotices } from '../../streams/notices.ts'
import { getPerson } from '../../streams/queries.ts'
import { forgetPrivateStreams } from '../../streams/subscriptions/bots-and-owners.ts'
import { botOwnerChanged } from '../events.ts'
import { findUser, updateUserRow } from '../queries.ts'
import { setRole } from '../set-role.ts'
import { mayChangeOwner, watchesAllBots } from './access.ts'
import { refuseTooManyBots } from './bot-limit.ts'
import { botAddedToOwner, botChanged, botKeyShown, botServicesShown, botsDisappeared } from './events.ts'
import { noticeOfBotGiven, noticeOfBotTaken } from './notices.ts'
import { clearDefaultStreams, getBot } from './queries.ts'
import { replaceKey } from './replace-key.ts'
import { limitRole } from './role-limit.ts'

/**
 * Gives a bot to another person. It acts with the new owner's rights from now on, so its key is replaced, its
 * queues end, its role is no higher than the owner's, and it leaves the private streams that the owner may not read. The organization's roles must be held alone.
 */
export async function changeOwner(
  app: App,
  tx: Tx,
  actor: Actor,
  bot: UserRow,
  id: UserId,
): Promise<UserRow> {
  const { organization_id, bot_owner_id } = bot
  // Clients send the owner along with other changes.
  if (id === bot_owner_id) return bot
  if (!mayChangeOwner(actor, bot)) throw new ApiError('INSUFFICIENT_PERMISSION')
  const owner = await getNewOwner(tx, bot, id)
  await refuseTooManyBots(app, tx, { organization_id, user_id: owner.id })
  const previous = bot_owner_id === null ? undefined : await findUser(tx, organization_id, bot_owner_id)
  await updateUserRow(tx, organization_id, bot.id, { bot_owner_id: owner.id })
  const api_key = await replaceKey(app, tx, bot)
  await endQueues(tx, organization_id, bot.id)
  const hidden = await forgetPrivateStreams(tx, bot, owner)
  await forgetReceived(tx, { organization_id, user_id: bot.id }, hidden)
  await forgetDefaults(tx, bot, hidden)
  await tellOwners(app, tx, bot, { previous, owner, api_key })
  await leaveWord(tx, actor, bot, { previous, owner })
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

/** The new owner is not shown the names of streams that are hidden from them. */
async function forgetDefaults(tx: Tx, bot: UserRow, hidden: readonly StreamRow[]): Promise<void> {
  const place = { organization_id: bot.organization_id, user_id: bot.id }
  const ids = hidden.map(({ id }) => id)
  for (const name of await clearDefaultStreams(tx, place, ids)) {
    if (name === 'default_sending_stream') emit(tx, botChanged(bot, { default_sending_stream: null }))
    else emit(tx, botChanged(bot, { default_events_register_stream: null }))
  }
}

interface Owners {
  previous: UserRow | undefined
  owner: UserRow
}

/** Administrators saw the bot before and see it now, without its key and token; for other owners it goes and comes. */
async function tellOwners(
  app: App,
  tx: Tx,
  bot: UserRow,
  { previous, owner, api_key }: Owners & { api_key: string },
): Promise<void> {
  const given = await getBot(tx, { organization_id: bot.organization_id, user_id: bot.id })
  const showSecrets = (key: string, viewer: UserId) => {
    emit(tx, botKeyShown(app, bot, key, viewer))
    if (given.bot_type === BotType.outgoingWebhook) emit(tx, botServicesShown(app, given, viewer))
  }
  if (previous && watchesAllBots(previous)) showSecrets('', previous.id)
  else if (previous) emit(tx, botsDisappeared(previous, [bot]))
  emit(tx, botChanged(bot, { owner_id: owner.id }, humanAdministrators))
  if (watchesAllBots(owner)) showSecrets(api_key, owner.id)
  else emit(tx, botAddedToOwner(app, given, owner.id))
  emit(tx, botOwnerChanged(bot, owner.id))
}

async function leaveWord(tx: Tx, actor: Actor, bot: UserRow, { previous, owner }: Owners): Promise<void> {
  const by = await getPerson(tx, actor)
  const notices = [
    ...(previous && previous.id !== actor.user_id ? [noticeOfBotTaken(bot, previous.id, owner, by)] : []),
    ...(owner.id === actor.user_id ? [] : [noticeOfBotGiven(bot, owner.id, by)]),
  ]
  await enqueueNotices(tx, bot.organization_id, by, notices, { isNews: true })
}
