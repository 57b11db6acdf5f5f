import { ApiError, type api, maxMutedUsers, type ParamsOf, type UserId } from '@oxbow/contract'
import { sql } from 'kysely'
import { emit } from '../../events/emit.ts'
import { filterSeen } from '../../identity/accounts/sight.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { emitFlags } from '../flags/events.ts'
import { lockReadState, type ReadState } from '../flags/lock-read-state.ts'
import { markPrivate, markRead } from '../flags/marks.ts'
import { selectUnreadElsewhere, selectUnreadWhereSent } from '../unread/selections.ts'
import type { Reader } from '../visibility.ts'
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
    // A guest may have muted a user whom it no longer sees.
    if (!(await deleteMutedUser(tx, actor, muted_user_id))) {
      await requireAccount(tx, actor, muted_user_id)
      throw new ApiError('USER_NOT_MUTED')
    }
    await emitMutedUsers(tx, actor)
    return {}
  })
}

async function requireAccount(tx: Tx, actor: Actor, id: UserId): Promise<void> {
  const isSeen = (await filterSeen(tx, actor, [id])).has(id)
  if (!isSeen || !(await isAccount(tx, actor, id))) throw new ApiError('NO_SUCH_USER')
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

interface UnreadMessage {
  id: number
  is_private: boolean
  sent_recipient_id: number
}

const columns = sql`m.id, m.is_private, m.sent_recipient_id, m.sender_id`

/** Lists the reader's unread messages of one sender, in ascending order. */
async function listUnreadOfSender(db: Db, reader: Reader, sender: UserId): Promise<UnreadMessage[]> {
  const { rows } = await sql<UnreadMessage>`
    select distinct unread.id, unread.is_private, unread.sent_recipient_id from (
      ${selectUnreadWhereSent(reader, columns)} union all ${selectUnreadElsewhere(reader, columns)}
    ) as unread
    where unread.sender_id = ${sender}
    order by unread.id`.execute(db)
  return rows
}
