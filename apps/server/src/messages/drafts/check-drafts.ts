import {
  ApiError,
  countCharacters,
  type Draft,
  type DraftToSave,
  maxLengthOfTopic,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { listSeenAccountsById } from '../../identity/accounts/sight.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Tx } from '../../platform/database/database.ts'
import { canAccess, toViewer } from '../../streams/access.ts'
import { listStreamsById } from '../../streams/queries.ts'
import { checkContent } from '../content/message-text.ts'
import type { NewDraft } from './queries.ts'

/**
 * Returns the drafts as they are stored. Throws if a recipient is unknown or hidden from the actor.
 * `stored` is the draft that an edit replaces. Its recipients are not checked again: the owner must
 * be able to save a text for a stream that they have left.
 */
export async function checkDrafts(
  tx: Tx,
  actor: Actor,
  draftsToSave: readonly DraftToSave[],
  stored?: Draft,
): Promise<NewDraft[]> {
  const drafts = draftsToSave.map(normalizeDraft)
  const toCheck = drafts.filter(({ type, to }) => stored?.type !== type || stored.to.join() !== to.join())
  const listRecipients = (draftType: Draft['type']) =>
    toCheck.flatMap(({ type, to }) => (type === draftType ? to : []))
  await checkStreams(tx, actor, listRecipients('stream') as StreamId[])
  await checkPeople(tx, actor, listRecipients('private') as UserId[])
  return drafts
}

function normalizeDraft({ type, to, topic, content, timestamp }: DraftToSave): NewDraft {
  const recipients = type === '' ? [] : [...new Set(to)]
  if (type === 'stream' && recipients.length !== 1) throw new ApiError('ONE_STREAM_FOR_DRAFT')
  return {
    type,
    to: recipients,
    topic: type === 'stream' ? checkDraftTopic(topic) : '',
    content: checkContent(content, 'refuse'),
    timestamp: timestamp === undefined ? undefined : Math.floor(timestamp),
  }
}

/** Returns the topic as it is stored. An empty topic is valid in a draft. */
function checkDraftTopic(rawTopic: string): string {
  const topic = rawTopic.trim()
  if (countCharacters(topic) > maxLengthOfTopic(topic)) throw new ApiError('TOPIC_TOO_LONG')
  return topic
}

async function checkStreams(tx: Tx, actor: Actor, ids: readonly StreamId[]): Promise<void> {
  if (ids.length === 0) return
  const found = await listStreamsById(tx, actor, [...new Set(ids)])
  const open = found.filter((stream) => canAccess(stream, toViewer(actor, stream)))
  const openStreamIds = new Set(open.map(({ id }) => id))
  if (!ids.every((id) => openStreamIds.has(id))) throw new ApiError('INVALID_STREAM_ID')
}

async function checkPeople(tx: Tx, actor: Actor, ids: readonly UserId[]): Promise<void> {
  if (ids.length === 0) return
  const accountsById = await listSeenAccountsById(tx, actor, [...new Set(ids)])
  const unknown = ids.find((id) => !accountsById.has(id))
  if (unknown !== undefined) throw new ApiError('RECIPIENT_ID_INVALID', { id: unknown })
}
