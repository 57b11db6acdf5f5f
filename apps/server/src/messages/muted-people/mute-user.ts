import { ApiError, type api, maxMutedUsers, type ParamsOf, type UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import { emitFlags } from '../flags/events.ts'
import { lockReadState, type ReadState } from '../flags/lock-read-state.ts'
import { markPrivate, markRead } from '../flags/marks.ts'
import { listUnreadOfSender } from './list-unread.ts'
import { deleteMutedUser, insertMutedUser, isAccount, listMutedUsers } from './queries.ts'

type Params = ParamsOf<typeof api.mutedUsers.mute>

/**
 * Mutes a user: their unread messages become read. Later ones are written as read, because the statement
 * that sends them reads who muted the sender.
 */
export function muteUser(app: App, actor: Actor, { muted_user_id }: Params): Promise<object> {
  if (muted_user_id === actor.user_id) throw new ApiError('CANNOT_MUTE_SELF')
  return writeAs(app, actor, async (tx) => {
    const state = await lockReadState(app, tx, actor)
    await requireAccount(tx, actor, muted_user_id)
    if (!(await insertMutedUser(tx, actor, muted_user_id))) throw new ApiError('USER_ALREADY_MUTED')
    await emitMutedUsers(tx, actor)
    await markAllOfSenderRead(tx, actor, state, muted_user_id)
    return {}
  })
}

export function unmuteUser(app: App, actor: Actor, { muted_user_id }: Params): Promise<object> {
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    await requireAccount(tx, actor, muted_user_id)
    if (!(await deleteMutedUser(tx, actor, muted_user_id))) throw new ApiError('USER_NOT_MUTED')
    await emitMutedUsers(tx, actor)
    return {}
  })
}

async function requireAccount(tx: Tx, actor: Actor, id: UserId): Promise<void> {
  if (!(await isAccount(tx, actor, id))) throw new ApiError('NO_SUCH_USER')
}

async function emitMutedUsers(tx: Tx, actor: Actor): Promise<void> {
  const muted_users = await listMutedUsers(tx, actor)
  if (muted_users.length > maxMutedUsers) throw new ApiError('TOO_MANY_MUTED_USERS', { limit: maxMutedUsers })
  emit(tx, {
    organization_id: actor.organization_id,
    event: { type: 'muted_users', muted_users },
    to: { users: [actor.user_id] },
  })
}

async function markAllOfSenderRead(tx: Tx, actor: Actor, state: ReadState, sender: UserId): Promise<void> {
  const unread = await listUnreadOfSender(tx, actor, sender)
  if (unread.length === 0) return
  const privates = unread.filter(({ is_private }) => is_private).map(({ id }) => id)
  await markPrivate(tx, actor, privates, false)
  await markRead(
    tx,
    actor,
    state,
    unread.filter(({ is_private }) => !is_private),
  )
  emitFlags(
    tx,
    actor,
    'add',
    'read',
    unread.map(({ id }) => id),
  )
}
