import { ApiError, isAdministrator, type UserId } from '@oxbow/contract'
import { filterSeen } from '../../../identity/accounts/sight.ts'
import { recheckActor } from '../../../identity/write-as.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { lockUser } from '../queries.ts'

/**
 * Returns whether an account sees all bots, or only its own. `getBotWatchers` applies the same rule
 * to events.
 */
export function canWatchAllBots({ role, bot_type }: Pick<UserRow, 'role' | 'bot_type'>): boolean {
  return isAdministrator(role) && bot_type === null
}

/**
 * Locks and returns a bot that the actor may change. Administrators may change all bots; others
 * only those they own.
 */
export async function accessBotToChange(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const isSeen = (await filterSeen(tx, actor, [id])).has(id)
  const user = isSeen ? await lockUser(tx, actor.organization_id, id) : undefined
  // The actor may have changed while this transaction waited for the lock.
  await recheckActor(tx, actor)
  return getChangeableBot(actor, user)
}

/** Returns whether the actor may have the bot's key: it must not grant rights that the actor lacks. */
export function mayHaveBotKey(actor: Actor, bot: Pick<UserRow, 'role' | 'bot_owner_id'>): boolean {
  return bot.bot_owner_id === actor.user_id || actor.role <= bot.role
}

/** Returns whether the actor may give the bot to another person, who then gets its new key. */
export function canChangeOwner(actor: Actor, bot: Pick<UserRow, 'role' | 'bot_owner_id'>): boolean {
  return isAdministrator(actor.role) && mayHaveBotKey(actor, bot)
}

/** Returns the account if it is a bot that the actor may change. Does not lock it. */
export function getChangeableBot(actor: Actor, user: UserRow | undefined): UserRow {
  if (!user || user.bot_type === null) throw new ApiError('NO_SUCH_BOT')
  if (!isAdministrator(actor.role) && user.bot_owner_id !== actor.user_id)
    throw new ApiError('INSUFFICIENT_PERMISSION')
  return user
}
