import {
  ApiError,
  foldTopic,
  type MessageId,
  type OrganizationId,
  type StreamId,
  type UserId,
} from '@oxbow/contract'
import { emitReserved, reserveOutboxIds, wakeSequencer } from '../../events/emit.ts'
import { type IdempotencyKey, IdempotentReplay } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import { bindFunction } from '../../platform/database/function-files.ts'
import { lockKey, lockRoles, lockStreamsShared } from '../../platform/database/locks.ts'
import { inSameTransaction } from '../../platform/database/transaction.ts'
import { claimUploadsOfNewMessage, lockClaimableUploads } from '../attachments/claim-uploads.ts'
import { listUploadUpdates } from '../attachments/list-updates.ts'
import { listContentWords, listTopicWords } from '../search/words.ts'
import type { Reader } from '../visibility.ts'
import type { MessageEvents, PreparedMessage } from './message-events.ts'
import {
  type Destination,
  type LoadedPreconditions,
  parsePreconditions,
  type Sender,
  sendFunctions,
} from './preconditions.ts'

export interface MessageToSend {
  sender: Sender
  to: Destination
  /** The preconditions that the message was checked and rendered with. */
  known: LoadedPreconditions
  message: PreparedMessage
  events: MessageEvents
  /** The author of the text: the sender, or the account for which a system bot sends it. */
  writer: Reader
  /** Whether the message may only continue a topic of the stream. */
  needsTopic?: boolean
}

export interface WriteOptions {
  /** The account whose idempotency key applies, if it is not the sender's. */
  caller?: UserId
  idempotencyKey?: IdempotencyKey | undefined
  /**
   * Further work in the same transaction, after the message was inserted. If it throws, nothing is
   * sent. It may run several times.
   */
  alongside?: ((tx: Tx) => Promise<void>) | undefined
}

/**
 * Maximum number of attempts. Only a deliberate attack changes the preconditions this often while a
 * message is sent.
 */
const maxAttempts = 10

/** The result of an attempt to send a message, or the preconditions for the next one if they are known. */
export type Attempt<Result> = { sent: Result } | { changedTo: LoadedPreconditions | undefined }

/**
 * Sends a message: calls `attempt` with preconditions, which `read` returns unless `known` is given, and again
 * with the current ones as long as they change meanwhile.
 */
export async function sendWithPreconditions<Result>(
  known: LoadedPreconditions | undefined,
  read: () => Promise<LoadedPreconditions>,
  attempt: (known: LoadedPreconditions) => Promise<Attempt<Result>>,
): Promise<Result> {
  let current = known
  for (let count = 0; count < maxAttempts; count++) {
    const outcome = await attempt(current ?? (await read()))
    if ('sent' in outcome) return outcome.sent
    current = outcome.changedTo
  }
  throw new Error(`the preconditions of a message changed ${maxAttempts} times while it was being sent`)
}

/**
 * Writes the message and its events if the preconditions still apply, and returns the message id.
 * Otherwise writes nothing and returns the current preconditions. Throws `IdempotentReplay` if the
 * idempotency key was used before with the same request.
 */
export async function writeMessage(
  db: Db,
  sending: MessageToSend,
  options: WriteOptions,
): Promise<MessageId | LoadedPreconditions> {
  if (sending.message.rendered.uploads.length > 0) return writeWithUploads(db, sending, options)
  const { alongside } = options
  if (!alongside) return callSendMessage(db, sending, options)
  return inSameTransaction(db, async (tx) => {
    const outcome = await callSendMessage(tx, sending, options)
    if (typeof outcome === 'number') await alongside(tx)
    return outcome
  })
}

/**
 * Writes a message whose text links to uploads. In the same transaction, the message claims the
 * uploads that the writer may read. The owners of the uploads get their events before the message
 * event.
 */
async function writeWithUploads(
  db: Db,
  sending: MessageToSend,
  options: WriteOptions,
): Promise<MessageId | LoadedPreconditions> {
  return inSameTransaction(db, async (tx) => {
    const { sender, to, message, writer } = sending
    const { organization_id } = sender
    // The locks are taken in the same order as in `send_message` and in deletions, to avoid
    // deadlocks.
    await lockRoles(tx, organization_id, 'shared')
    if ('stream' in to) await lockStreamsShared(tx, [to.stream])
    const uploads = await lockClaimableUploads(tx, writer, message.rendered.uploads)
    const outboxIds = await reserveOutboxIds(tx, uploads.length)
    const outcome = await callSendMessage(tx, sending, options)
    if (typeof outcome !== 'number') return outcome
    await options.alongside?.(tx)
    if (uploads.length === 0) return outcome
    await claimUploadsOfNewMessage(tx, organization_id, outcome, uploads)
    await emitReserved(tx, outboxIds, await listUploadUpdates(tx, organization_id, uploads))
    return outcome
  })
}

async function callSendMessage(
  db: Db,
  sending: MessageToSend,
  { caller = sending.sender.user_id, idempotencyKey }: WriteOptions,
): Promise<MessageId | LoadedPreconditions> {
  const { outcome, detail, id } = await sendMessage(db, toArgument(sending, caller, idempotencyKey))
  switch (outcome) {
    case 'sent':
      wakeSequencer(db)
      if (idempotencyKey) idempotencyKey.isSaved = true
      return id as MessageId
    case 'changed':
      return parsePreconditions(detail ?? 'null')
    case 'replayed':
      throw new IdempotentReplay(JSON.parse(detail ?? '{}') as object)
    case 'reused':
      throw new ApiError('IDEMPOTENCY_KEY_REUSED')
    case 'no_topic':
      throw new ApiError('CANNOT_START_TOPICS')
  }
}

/** The fields of the type `message_to_write` in send-message.sql. */
interface MessageToWrite {
  organization_id: OrganizationId
  sender_id: UserId
  credential_hash: Buffer | null
  roles_lock: bigint
  stream_id: StreamId | null
  stream_lock: bigint | null
  people: readonly UserId[] | null
  needs_topic: boolean
  known_preconditions: string
  caller_id: UserId
  idempotency_key: string | null
  request_fingerprint: Buffer | null
  topic: string
  folded_topic: string
  content: string
  rendered_content: string
  client: string
  words: readonly number[]
  topic_words: readonly number[]
  has_link: boolean
  has_image: boolean
  mentions_wildcard: boolean
  flagged: readonly UserId[]
  flagged_mentions: readonly boolean[]
  flagged_alerts: readonly boolean[]
  mentioned_bots: readonly UserId[]
  called_bots: readonly UserId[]
  readers: readonly UserId[]
  widget: string | null
  page_links: readonly string[] | null
  header: string
  /**
   * JSON of the message without the opening brace, because `send_message` prepends the fields that
   * only the database knows.
   */
  rest_of_message: string
  /** The event that sets the stream's `first_message_id`, if this is its first message. */
  first_header: string | null
  first_event: string | null
}

interface Outcome {
  outcome: 'sent' | 'changed' | 'replayed' | 'reused' | 'no_topic'
  detail: string | null
  id: MessageId | null
}

const sendMessage = bindFunction<MessageToWrite, Outcome>(sendFunctions, 'send_message')

function toArgument(
  { sender, to, known, message, events, needsTopic = false }: MessageToSend,
  caller_id: UserId,
  idempotencyKey: IdempotencyKey | undefined,
): MessageToWrite {
  const { organization_id, user_id, credential } = sender
  const { topic, content, client, rendered, calledBots = [], readers, widget = null } = message
  const { html, mentioned, alerted, mentionedBots, pageLinks } = rendered
  const stream_id = 'stream' in to ? to.stream : null
  const flagged = [...mentioned.union(alerted)]
  return {
    organization_id,
    sender_id: user_id,
    credential_hash: credential?.hash ?? null,
    roles_lock: lockKey('organizationRoles', organization_id),
    stream_id,
    stream_lock: stream_id === null ? null : lockKey('stream', stream_id),
    people: 'people' in to ? to.people : null,
    needs_topic: needsTopic,
    known_preconditions: known.text,
    caller_id,
    idempotency_key: idempotencyKey?.key ?? null,
    request_fingerprint: idempotencyKey?.fingerprint ?? null,
    topic,
    folded_topic: foldTopic(topic),
    content,
    rendered_content: html,
    client,
    words: listContentWords(user_id, html),
    topic_words: listTopicWords(topic),
    has_link: rendered.has_link,
    has_image: rendered.has_image,
    mentions_wildcard: rendered.mentions_wildcard,
    flagged,
    flagged_mentions: flagged.map((id) => mentioned.has(id)),
    flagged_alerts: flagged.map((id) => alerted.has(id)),
    mentioned_bots: mentionedBots,
    called_bots: calledBots,
    readers,
    widget,
    // Messages with widgets get no link previews.
    page_links: widget === null && pageLinks.length > 0 ? pageLinks : null,
    header: JSON.stringify(events.sent.header),
    rest_of_message: JSON.stringify(events.sent.message).slice('{'.length),
    first_header: events.first ? JSON.stringify(events.first.header) : null,
    first_event: events.first ? JSON.stringify(events.first.event) : null,
  }
}
