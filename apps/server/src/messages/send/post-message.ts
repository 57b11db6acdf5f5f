import { ApiError, BotType, type MessageId, type UserId } from '@oxbow/contract'
import { createTopicLinker } from '../../organization/linkifiers/cached-linkifiers.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { perNode } from '../../platform/per-node.ts'
import type { RenderedContent } from '../content/message-text.ts'
import { arePagesPreviewed, noTopic, renderContent } from '../content/message-text.ts'
import { wakePreviews } from '../link-previews/requests.ts'
import { getMessageMetrics } from '../metrics.ts'
import { startWidget } from '../widgets/start-widget.ts'
import { checkDestination, checkSender, decideStartingTopics } from './check-destination.ts'
import { messageSent, type PreparedMessage } from './message-events.ts'
import { buildNoSubscribersNotice, buildUnknownStreamNotice, notifyBotOwner } from './notify-bot-owner.ts'
import type { RecipientState, TargetStream } from './preconditions.ts'
import {
  cachePreconditions,
  type Destination,
  getDestination,
  isApplicable,
  type Recipient,
  readSendPreconditions,
  type SenderState,
  type SendPreconditions,
} from './preconditions.ts'
import { resolveDestination } from './recipients.ts'
import { sendWithPreconditions, type WriteOptions, writeMessage } from './write-message.ts'

export interface OutgoingMessage {
  recipient: Recipient
  topic: string
  content: string
  /** The parameter `widget_content` of the request. */
  widgetContent?: string | undefined
  echo?: { queue: string; local_id: string } | undefined
  /**
   * Whether the message is read for its sender. By default true if the sending client is
   * interactive.
   */
  isReadBySender?: boolean | undefined
  /**
   * Whether the message answers one that called the sender, an outgoing webhook. A reply may be sent to a stream
   * to which the sender may not post.
   */
  isReply?: boolean
  /**
   * Whether the message may lack a topic although the organization requires one. True for messages of
   * services, which cannot react to a refusal.
   */
  mayLackTopic?: boolean
}

/**
 * Sends a message. If a bot writes to a missing stream or to a stream without subscribers, its
 * owner is notified.
 */
export async function postMessage(app: App, actor: Actor, outgoing: OutgoingMessage): Promise<MessageId> {
  if (actor.bot_type === null) return (await sendWithoutOwnerNotice(app, actor, outgoing)).id
  try {
    const { id, preconditions } = await sendWithoutOwnerNotice(app, actor, outgoing)
    if (preconditions.sender?.writes_unheard && preconditions.stream)
      await notifyBotOwner(app, actor, buildNoSubscribersNotice(preconditions.stream))
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
 * Sends a message without notifying a bot's owner, because the notice needs a separate transaction
 * afterwards. The message is checked and rendered with preconditions that may be cached. The
 * statement that writes the message compares them with the current ones while it holds the locks of
 * the stream and the roles. If they differ, the message is checked and rendered again with the
 * current ones.
 */
export async function sendWithoutOwnerNotice(
  app: App,
  actor: Actor,
  outgoing: OutgoingMessage,
  { alongside }: Pick<WriteOptions, 'alongside'> = {},
): Promise<{ id: MessageId; preconditions: SendPreconditions }> {
  const sentAt = Date.now()
  const { idempotencyKey } = actor
  const { recipient } = outgoing
  const cached = cachePreconditions(app, actor, recipient)
  // Cached preconditions allowed an earlier message, which may have had a topic.
  const first = lacksTopic(outgoing) ? undefined : cached.get()
  const read = async () =>
    readSendPreconditions(app.db, actor, await resolveDestination(app, actor, recipient))
  return sendWithPreconditions(first, read, async (known) => {
    const { preconditions } = known
    const checked = checkMessage(app, actor, outgoing, preconditions)
    const message = await renderMessage(app, actor, outgoing, checked)
    const events = messageSent(app, actor.organization_id, { ...message, sentAt })
    const to = getDestination(preconditions)
    const needsTopic = mustContinueTopic(preconditions)
    const sending = { sender: actor, to, known, message, events, writer: actor, needsTopic }
    const outcome = await writeMessage(app.db, sending, { idempotencyKey, alongside })
    if (typeof outcome === 'number') {
      cached.set(known)
      getMessageMetrics(app).sent.inc({ to: recipient.kind === 'stream' ? 'stream' : 'people' })
      if (message.rendered.pageLinks.length > 0) wakePreviews(app)
      if (message.calledBots?.length) webhookCallLoop(app).wake()
      return { sent: { id: outcome, preconditions } }
    }
    cached.delete()
    return { changedTo: isApplicable(app, actor, recipient, outcome.preconditions) ? outcome : undefined }
  })
}

/** Returns whether the message is for a stream in which the sender may not start topics. */
function mustContinueTopic(preconditions: SendPreconditions): boolean {
  const { sender, stream } = preconditions
  return sender !== null && stream !== null && !decideStartingTopics(preconditions, sender, stream).allowed
}

/** Checks and renders a message without sending it. Sending it later may still be refused. */
export async function checkAndRenderMessage(
  app: App,
  actor: Actor,
  outgoing: OutgoingMessage,
): Promise<{ to: Destination; stream: SendPreconditions['stream']; rendered_content: string }> {
  const to = await resolveDestination(app, actor, outgoing.recipient)
  const { preconditions } = await readSendPreconditions(app.db, actor, to)
  const checked = checkMessage(app, actor, outgoing, preconditions)
  const { rendered } = await renderMessage(app, actor, outgoing, checked)
  return { to, stream: preconditions.stream, rendered_content: rendered.html }
}

interface CheckedMessage extends Pick<PreparedMessage, 'organization' | 'to' | 'widget'> {
  sender: SenderState
}

/** Throws if the sender may not send this message. */
function checkMessage(
  { config }: App,
  actor: Actor,
  outgoing: OutgoingMessage,
  preconditions: SendPreconditions,
): CheckedMessage {
  const { recipient, content, widgetContent, isReply } = outgoing
  const sender = checkSender(actor, preconditions)
  if (preconditions.organization.mandatory_topics && lacksTopic(outgoing))
    throw new ApiError('TOPICS_REQUIRED')
  const to = checkDestination(config, preconditions, sender, { ...recipient, isReply })
  const mayHaveWidget = widgetContent !== undefined || content.startsWith('/')
  const widget = mayHaveWidget ? startWidget(content, widgetContent) : undefined
  return { organization: preconditions.organization, sender, to, widget }
}

const lacksTopic = ({ topic, mayLackTopic }: OutgoingMessage): boolean => topic === noTopic && !mayLackTopic

async function renderMessage(
  app: App,
  { organization_id, user_id, role, origin, client }: Actor,
  { topic, content, echo, isReadBySender = isInteractiveClient(client) }: OutgoingMessage,
  checked: CheckedMessage,
): Promise<PreparedMessage> {
  const { organization, sender, widget } = checked
  const rendered = await renderContent(app, { organization_id, user_id, role }, content, {
    ...organization,
    translate_emoticons: sender.translate_emoticons,
    origin,
    findsPages: arePagesPreviewed(app, organization, sender) && widget === undefined,
  })
  const linkTopic = await createTopicLinker(app, organization_id)
  return {
    ...checked,
    topic,
    topic_links: linkTopic(topic),
    content,
    client,
    rendered,
    calledBots: listCalledBots(sender, checked.to, rendered),
    readers: [...(isReadBySender ? [user_id] : []), ...sender.muted_by],
    echo: echo && { ...echo, user: user_id },
  }
}

/** Product names that begin the names of interactive clients: the protocol's and the older one. */
const products = ['chat', 'zulip']
const programs = ['android', 'ios', 'desktop', 'mobile', 'electron', 'terminal']

const names = new Set([
  ...products.flatMap((product) => programs.map((program) => product + program)),
  'snipe',
  'website',
  'ios',
  'android',
])

/**
 * Returns whether a person uses this client, so that messages sent with it are read for the sender.
 * Messages sent by scripts stay unread for their account.
 */
export function isInteractiveClient(client: string): boolean {
  const name = client.toLowerCase()
  return names.has(name) || name.includes('desktop app')
}

/**
 * Lists the outgoing webhooks that a message of a person calls: in a stream those that it mentions, in a
 * conversation the members. Messages of bots call none, because two bots could answer each other forever.
 */
function listCalledBots(
  { bot_type }: { bot_type: BotType | null },
  to: TargetStream | readonly RecipientState[],
  { mentionedWebhooks }: Pick<RenderedContent, 'mentionedWebhooks'>,
): readonly UserId[] {
  if (bot_type !== null) return []
  if ('stream_post_policy' in to) return mentionedWebhooks
  return to.filter((person) => person.bot_type === BotType.outgoingWebhook).map(({ id }) => id)
}

/** Makes the node's loop that calls outgoing webhooks look for calls at once. Does nothing without a loop. */
export const webhookCallLoop = perNode<{ wake: () => void }>({
  name: 'alarm of outgoing webhooks',
  create: () => ({ wake: () => {} }),
})
