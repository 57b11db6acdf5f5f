import type { UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Audience } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { leaveNotices, noticeOfArrival, noticeOfLeaving } from '../../streams/notices.ts'
import { getPerson } from '../../streams/queries.ts'
import { listMessageAudiences } from '../audiences.ts'
import { messagesDeleted } from '../delete/events.ts'
import { updateFirstMessage } from '../first-message.ts'
import type { Edit } from './check-edit.ts'
import { type Edited, messagesUpdated } from './events.ts'
import { deleteNotes, listGuestsWhoGain, listGuestsWhoLose } from './guests.ts'
import { updatePlace } from './queries.ts'

interface Moved extends Edited {
  from: StreamRow
  to: StreamRow
}

/**
 * Both streams are public and held alone. Whoever received the messages keeps them, but for guests who do not know the
 * stream that they are in now: to them they are gone.
 */
export async function moveMessages(tx: Tx, moved: Moved, edit: Edit): Promise<void> {
  const { before, from, to, topic, propagate_mode } = moved
  const messages = await updatePlace(tx, before, propagate_mode, to.id, topic)
  const ids = messages.map(({ id }) => id)
  const move = { organization_id: before.organization_id, from: from.id, to: to.id }
  const losing = await listGuestsWhoLose(tx, move, ids)
  if (losing.length > 0) {
    await deleteNotes(tx, move.organization_id, losing, ids)
    const gone = messagesDeleted(from, before.topic, { ids, to: { users: losing } })
    for (const emission of gone) emit(tx, emission)
  }
  const gaining = await listGuestsWhoGain(tx, move)
  const [inOldPlace, ...apart] = await listMessageAudiences(tx, from, messages, [from.id, to.id])
  // Those who ask for all public streams hear it once: by the second, unless they are in the first.
  emit(tx, messagesUpdated(moved, { ids, to: { ...inOldPlace?.to, ...without(losing) } }))
  const inNewPlace = { stream: to.id, unless: { stream: from.id }, ...without(gaining) }
  emit(tx, messagesUpdated(moved, { ids, to: inNewPlace, isPublic: true }))
  for (const hearing of apart)
    emit(tx, messagesUpdated(moved, { ...hearing, to: { ...hearing.to, ...without(losing) } }))
  await updateFirstMessage(tx, from)
  await updateFirstMessage(tx, to)
  await tellPlaces(tx, moved, edit)
}

const without = (users: readonly UserId[]): Pick<Audience, 'except'> =>
  users.length > 0 ? { except: users } : {}

/** Even whoever moved them has it to read. */
async function tellPlaces(tx: Tx, moved: Moved, { tellsOldPlace, tellsNewPlace }: Edit): Promise<void> {
  const { before, from, to, topic = before.topic, editor: user_id } = moved
  const { organization_id } = before
  const by = await getPerson(tx, { organization_id, user_id })
  const notices = [
    ...(tellsNewPlace ? [noticeOfArrival(by, { stream_id: to.id, topic })] : []),
    ...(tellsOldPlace ? [noticeOfLeaving(by, { stream_id: from.id, topic: before.topic }, before.id)] : []),
  ]
  await leaveNotices(tx, organization_id, by, notices, { isNews: true })
}
