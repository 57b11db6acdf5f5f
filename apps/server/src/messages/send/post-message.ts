import { ApiError, foldName, type MessageId, type StreamId, type UserId } from '@oxbow/contract'
import { displayEmail } from '../../accounts/display-email.ts'
import { listAccountsByEmail } from '../../accounts/find-by-email.ts'
import { listAccountsById } from '../../accounts/queries.ts'
import { createTopicLinker } from '../../linkifiers/link-topics.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import { perNode } from '../../platform/per-node.ts'
import { renderContent } from '../content/render-content.ts'
import { arePagesPreviewed } from '../link-previews/links.ts'
import { wakePreviews } from '../link-previews/requests.ts'
import { startWidget } from '../widgets/start-widget.ts'
import {
  buildUnknownStreamError,
  checkConversationDestination,
  checkSender,
  checkStreamDestination,
} from './check-destination.ts'
import {
  type Destination,
  executeSend,
  findStreamId,
  readSendPreconditions,
  type SendOptions,
} from './execute-send.ts'
import { isInteractiveClient } from './interactive-clients.ts'
import { buildDraft, type PreparedMessage } from './message-record.ts'
import { buildNoSubscribersNotice, buildUnknownStreamNotice, notifyBotOwner } from './notify-bot-owner.ts'
import type { LoadedPreconditions, RecipientState, SendPreconditions } from './preconditions.ts'
import type { Recipient } from './recipients.ts'
import { sendWithUploads } from './send-with-uploads.ts'

export interface OutgoingMessage {
  recipient: Recipient
  topic: string
  content: string
  /** `widget_content` of the request. */
  widgetContent?: string | undefined
  echo?: { queue: string; local_id: string } | undefined
  /**
   * Whether the sender has read the message. By default true where the sending program is
   * interactive.
   */
  isReadBySender?: boolean | undefined
}

/** Larger groups should use a stream. */
const maxRecipients = 1_000
/** Preconditions change this often during one send only under a deliberate attack. */
const maxSendAttempts = 10

/** Sends whose preconditions are remembered, because most users write where they wrote before. */
const maxCachedPreconditions = 5_000

/** Preconditions of recent sends, by sender and destination. */
const preconditionCache = perNode({
  name: 'preconditions of sends',
  create: () => new BoundedCache<string, LoadedPreconditions>(maxCachedPreconditions),
  countEntries: ({ size }) => size,
})

/**
 * Sends a message. Where a bot writes to a missing stream or to one without subscribers, its owner
 * is notified.
 */
export async function postMessage(app: App, actor: Actor, outgoing: OutgoingMessage): Promise<MessageId> {
  if (actor.bot_type === null) return (await sendWithoutOwnerNotice(app, actor, outgoing)).id
  try {
    const { id, preconditions } = await sendWithoutOwnerNotice(app, actor, outgoing)
    if (preconditions.sender?.writes_unheard && preconditions.stream)
      await notifyBotOwner(app, actor, buildNoSubscribersNotice(preconditions.stream.name))
    return id
  } catch (error) {
    const { recipient } = outgoing
    const isUnknown =
      error instanceof ApiError && (error.is('STREAM_DOES_NOT_EXIST') || error.is('STREAM_ID_DOES_NOT_EXIST'))
    if (isUnknown && recipient.kind === 'stream')
      await notifyBotOwner(app, actor, buildUnknownStreamNotice(recipient.stream))
    throw error
  }
}

/**
 * Sends a message without notifying a bot's owner, which needs a transaction of its own after this
 * one.
 *
 * The message is checked and rendered with cached or freshly read preconditions. The statement that
 * sends it compares them again while it holds the locks of the stream and the roles; if they
 * differ, this function starts again with the current ones.
 */
export async function sendWithoutOwnerNotice(
  app: App,
  actor: Actor,
  outgoing: OutgoingMessage,
  { alongside }: Pick<SendOptions, 'alongside'> = {},
): Promise<{ id: MessageId; preconditions: SendPreconditions }> {
  const memory = preconditionCache(app)
  const { recipient } = outgoing
  const named = recipient.kind === 'stream' ? recipient.stream : recipient.people
  const key = `${actor.organization_id} ${actor.user_id} ${JSON.stringify(named)}`
  const before = memory.get(key)
  let known = before && isStillApplicable(app, actor, recipient, before.preconditions) ? before : undefined
  for (let attempt = 1; attempt <= maxSendAttempts; attempt++) {
    known ??= await readSendPreconditions(app.db, actor, await resolveDestination(app, actor, recipient))
    const sent = await prepareMessage(app, actor, outgoing, known.preconditions)
    const send = sent.rendered.uploads.length > 0 ? sendWithUploads : executeSend
    const outcome = await send(
      app.db,
      actor,
      destinationOf(known.preconditions),
      known,
      buildDraft(app, actor.organization_id, sent),
      { idempotencyKey: actor.idempotencyKey, alongside, writer: actor },
    )
    if (typeof outcome === 'number') {
      memory.set(key, known)
      if (sent.rendered.pageLinks.length > 0) wakePreviews(app)
      return { id: outcome, preconditions: known.preconditions }
    }
    memory.delete(key)
    known = isStillApplicable(app, actor, recipient, outcome.preconditions) ? outcome : undefined
  }
  throw new Error(`the preconditions of a message changed ${maxSendAttempts} times while it was being sent`)
}

export interface CheckedMessage {
  to: Destination
  /** Absent for private messages. */
  streamName: string | undefined
  rendered_content: string
}

/**
 * Checks and renders a message as sending it would, and sends nothing. The message may still be
 * refused later.
 */
export async function checkMessage(
  app: App,
  actor: Actor,
  outgoing: OutgoingMessage,
): Promise<CheckedMessage> {
  const to = await resolveDestination(app, actor, outgoing.recipient)
  const { preconditions } = await readSendPreconditions(app.db, actor, to)
  const { rendered } = await prepareMessage(app, actor, outgoing, preconditions)
  return { to, streamName: preconditions.stream?.name, rendered_content: rendered.html }
}

/**
 * Returns whether cached preconditions can apply to this request: the sender's role is the same,
 * and the names still refer to the same stream or people.
 */
function isStillApplicable(
  { config }: App,
  actor: Actor,
  recipient: Recipient,
  preconditions: SendPreconditions,
): boolean {
  if (preconditions.sender?.role !== actor.role) return false
  if (recipient.kind === 'stream') {
    const { stream } = recipient
    return typeof stream === 'number' || preconditions.stream?.folded_name === foldName(stream)
  }
  const people = preconditions.people ?? []
  const emails = new Set(
    people.map((person) => displayEmail(config, { ...person, ...preconditions.organization }).toLowerCase()),
  )
  return recipient.people.every((named) =>
    typeof named === 'number'
      ? people.some(({ id }) => id === named) || named === actor.user_id
      : emails.has(named.toLowerCase()),
  )
}

async function resolveDestination(app: App, actor: Actor, recipient: Recipient): Promise<Destination> {
  if (recipient.kind === 'people') return { people: await resolvePeople(app, actor, recipient.people) }
  const { stream } = recipient
  const id =
    typeof stream === 'number'
      ? (stream as StreamId)
      : await findStreamId(app.db, actor.organization_id, stream)
  if (id === undefined) throw buildUnknownStreamError(stream)
  return { stream: id }
}

/** Returns the ids of all members of the conversation, including the sender, in ascending order. */
async function resolvePeople(
  { config, db }: App,
  { organization_id, user_id }: Actor,
  named: readonly string[] | readonly number[],
): Promise<UserId[]> {
  if (named.length > maxRecipients)
    throw new ApiError('MESSAGE_RECIPIENTS_TOO_MANY', { limit: maxRecipients })
  const [first] = named
  const ids = new Set<UserId>([user_id])
  if (typeof first === 'number') {
    const found = await listAccountsById(db, organization_id, named as number[])
    for (const id of named as UserId[]) {
      if (!found.has(id)) throw new ApiError('RECIPIENT_ID_INVALID', { id })
      ids.add(id)
    }
  } else {
    // PostgreSQL refuses NUL characters in parameters, and no address contains one.
    const possible = (named as string[]).filter((email) => !email.includes('\0'))
    const found = await listAccountsByEmail(config, db, organization_id, possible)
    for (const email of named as string[]) {
      const account = found.get(email.toLowerCase())
      if (!account) throw new ApiError('RECIPIENT_EMAIL_INVALID', { email })
      ids.add(account.id)
    }
  }
  return [...ids].sort((a, b) => a - b)
}

function destinationOf({ stream, people }: SendPreconditions): Destination {
  if (stream) return { stream: stream.id }
  return { people: (people ?? []).map(({ id }) => id) }
}

async function prepareMessage(
  app: App,
  actor: Actor,
  outgoing: OutgoingMessage,
  preconditions: SendPreconditions,
): Promise<PreparedMessage> {
  const sender = checkSender(actor, preconditions.sender)
  const { recipient, topic, content, echo, isReadBySender = isInteractiveClient(actor.client) } = outgoing
  const to = checkDestination(app, preconditions, sender, recipient)
  const widget = startWidget(content, outgoing.widgetContent)
  const { organization_id, user_id, role, origin, client } = actor
  const rendered = await renderContent(app, { organization_id, user_id, role }, content, {
    ...preconditions.organization,
    translate_emoticons: sender.translate_emoticons,
    origin,
    findsPages: arePagesPreviewed(app, preconditions.organization, sender) && widget === undefined,
  })
  const linkTopic = await createTopicLinker(app, organization_id)
  return {
    preconditions,
    sender,
    to,
    topic,
    topic_links: linkTopic(topic),
    content,
    client,
    rendered,
    widget,
    readers: isReadBySender ? [user_id] : [],
    echo: echo && { ...echo, user: user_id },
  }
}

function checkDestination(
  { config }: App,
  preconditions: SendPreconditions,
  sender: NonNullable<SendPreconditions['sender']>,
  recipient: Recipient,
): PreparedMessage['to'] {
  if (recipient.kind === 'stream')
    return checkStreamDestination(sender, preconditions.stream, recipient.stream)
  const people: RecipientState[] = preconditions.people ?? []
  checkConversationDestination(config, preconditions, sender, people)
  return people
}
