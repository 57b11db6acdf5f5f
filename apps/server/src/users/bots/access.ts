import { ApiError, isAdministrator, type UserId } from '@oxbow/contract'
import { recheckActor } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { lockUser } from '../queries.ts'

/** Whether someone is shown all bots and not only their own; `whoWatches` says the same for events. */
export function watchesAllBots({ role, bot_type }: Pick<UserRow, 'role' | 'bot_type'>): boolean {
  return isAdministrator(role) && bot_type === null
}

/** A bot that the actor may change: any for administrators, their own for everyone else. It is held. */
export async function accessBotToChange(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const user = await lockUser(tx, actor.organization_id, id)
  // Someone may have held the row before us.
  await recheckActor(tx, actor)
  return getChangeableBot(actor, user)
}

/** Whether a key of the bot would let the actor do no more than they may already. */
export function mayHoldKey(actor: Actor, bot: Pick<UserRow, 'role' | 'bot_owner_id'>): boolean {
  return bot.bot_owner_id === actor.user_id || actor.role <= bot.role
}

/** Whether the actor may give the bot to someone else, who then gets its new key. */
export function mayChangeOwner(actor: Actor, bot: Pick<UserRow, 'role' | 'bot_owner_id'>): boolean {
  return isAdministrator(actor.role) && mayHoldKey(actor, bot)
}

/** The account, if it is a bot that the actor may change. */
export function getChangeableBot(actor: Actor, user: UserRow | undefined): UserRow {
  if (!user || user.bot_type === null) throw new ApiError('NO_SUCH_BOT')
  if (!isAdministrator(actor.role) && user.bot_owner_id !== actor.user_id)
    throw new ApiError('INSUFFICIENT_PERMISSION')
  return user
}
