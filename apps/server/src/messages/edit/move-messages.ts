import type { MessageId, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Audience } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { buildMovedAwayNotice, buildMovedHereNotice, enqueueNotices } from '../../streams/notices.ts'
import { getPerson } from '../../streams/queries.ts'
import { listMessageAudiences } from '../audiences.ts'
import { messagesDeleted } from '../delete/events.ts'
import { updateFirstMessage } from '../first-message.ts'
import { emitFlags } from '../flags/events.ts'
import type { Edit } from './check-edit.ts'
import { type Edited, messagesArrived, messagesUpdated } from './events.ts'
import { deleteUserMessages, listGuestsLosingAccess, listGuestsWithoutOldStream } from './guests.ts'
import { updateStreamOfMessages } from './queries.ts'

interface Moved extends Edited {
  from: StreamRow
  to: StreamRow
}

/**
 * Moves messages to another stream. Both streams must be public and locked exclusively. Users who
 * received the messages can still read them, except guests who are not subscribed to the new
 * stream: these guests get deletion events.
 */
export async function moveMessages(tx: Tx, moved: Moved, edit: Edit): Promise<void> {
  const { before, from, to, topic, propagate_mode } = moved
  const messages = await updateStreamOfMessages(tx, before, propagate_mode, to.id, topic)
  const ids = messages.map(({ id }) => id)
  const move = { organization_id: before.organization_id, from: from.id, to: to.id }
  const losing = await takeFromGuests(tx, moved, ids)
  const gaining = await listGuestsWithoutOldStream(tx, move)
  const [oldSubscribers, ...indirect] = await listMessageAudiences(tx, from, messages, [from.id, to.id])
  // Queues that receive all public streams get the event only once: through the first audience if
  // the user is subscribed to the old stream, otherwise through the second one.
  emit(tx, messagesUpdated(moved, { ids, to: { ...oldSubscribers?.to, ...excludeUsers(losing) } }))
  const newSubscribers = { stream: to.id, unless: { stream: from.id }, ...excludeUsers(gaining) }
  emit(tx, messagesUpdated(moved, { ids, to: newSubscribers, isPublic: true }))
  if (gaining.length > 0) emit(tx, messagesArrived(moved, { ids, to: { users: gaining } }))
  for (const audience of indirect)
    emit(tx, messagesUpdated(moved, { ...audience, to: { ...audience.to, ...excludeUsers(losing) } }))
  await updateFirstMessage(tx, from)
  await updateFirstMessage(tx, to)
  await leaveMoveNotices(tx, moved, edit)
}

const excludeUsers = (users: readonly UserId[]): Pick<Audience, 'except'> =>
  users.length > 0 ? { except: users } : {}

/**
 * Removes the messages from guests who are not subscribed to the new stream, and returns these
 * guests. Guests who left the old stream must not learn the topic, which may have changed since:
 * they get no deletion event, only the events that their stars were removed.
 */
async function takeFromGuests(
  tx: Tx,
  { before: { organization_id, topic }, from, to }: Moved,
  ids: MessageId[],
): Promise<UserId[]> {
  const guests = await listGuestsLosingAccess(tx, { organization_id, from: from.id, to: to.id }, ids)
  if (guests.length === 0) return []
  const losing = guests.map(({ id }) => id)
  const starred = await deleteUserMessages(tx, organization_id, losing, ids)
  const users = guests.filter(({ is_subscribed }) => is_subscribed).map(({ id }) => id)
  if (users.length > 0) {
    for (const emission of messagesDeleted(from, topic, { ids, to: { users } })) emit(tx, emission)
  }
  for (const [user_id, messages] of starred) {
    if (!users.includes(user_id)) emitFlags(tx, { organization_id, user_id }, 'remove', 'starred', messages)
  }
  return losing
}

/**
 * Enqueues the notices about the move. They are unread for all users, including the user who moved
 * the messages.
 */
async function leaveMoveNotices(
  tx: Tx,
  moved: Moved,
  { notifiesOldTopic, notifiesNewTopic }: Edit,
): Promise<void> {
  const { before, from, to, topic = before.topic, editor: user_id } = moved
  const { organization_id } = before
  const by = await getPerson(tx, { organization_id, user_id })
  const notices = [
    ...(notifiesNewTopic ? [buildMovedHereNotice(by, { stream_id: to.id, topic })] : []),
    ...(notifiesOldTopic
      ? [buildMovedAwayNotice(by, { stream_id: from.id, topic: before.topic }, before.id)]
      : []),
  ]
  await enqueueNotices(tx, organization_id, by, notices, { isNews: true })
}
