import { hash } from 'node:crypto'
import { ApiError, type MessageId, type OrganizationId } from '@oxbow/contract'
import { fitTopic, type Integration, type OutgoingMessage } from '@oxbow/integrations'
import { checkContent, checkTopic } from '../../messages/content/message-text.ts'
import { postMessage } from '../../messages/send/post-message.ts'
import type { Recipient } from '../../messages/send/preconditions.ts'
import { findStreamId } from '../../messages/send/recipients.ts'
import { type Actor, type IdempotencyKey, IdempotentReplay } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { BoundedCache } from '../../platform/bounded-cache.ts'
import type { Delivery } from '../../platform/http/delivery.ts'
import { perNode } from '../../platform/per-node.ts'
import { checkStreamName } from '../../streams/names.ts'
import type { Person } from './find-people.ts'
import { getArgument } from './read-payload.ts'

export interface DeliveryRequest {
  /** The integration's name, as in the URL. */
  name: string
  integration: Integration
  delivery: Delivery
  /** The saved delivery, if this is a replay. */
  replayed?: { id: number }
}

interface SendRequest extends DeliveryRequest {
  messages: readonly OutgoingMessage[]
  people: ReadonlyMap<string, Person>
  deliveryId: string | undefined
}

/**
 * Sends messages in order and stops at the first one that is refused. Messages sent before that
 * remain, and are not sent again when the delivery is repeated.
 */
export async function sendMessages(app: App, actor: Actor, sending: SendRequest): Promise<MessageId[]> {
  const { integration, delivery } = sending
  const destination = parseDestination(delivery, integration)
  const client = `Chat${integration.client}Webhook`
  const sent: MessageId[] = []
  for (const [index, message] of sending.messages.entries()) {
    const recipient = await resolveRecipient(app, actor, message, sending, destination.stream)
    if (!recipient) continue
    const topic = recipient.kind === 'stream' ? fitTopicText(destination.topic ?? message.topic) : ''
    const content = checkContent(message.content.toWellFormed(), 'cut')
    const idempotencyKey = makeIdempotencyKey(sending, destination, index)
    const sender = { ...actor, client, ...(idempotencyKey && { idempotencyKey }) }
    sent.push(await ignoreReplay(postMessage(app, sender, { recipient, topic, content, mayLackTopic: true })))
  }
  return sent
}

/** Numbers that recently were not the name of a stream, by organization, with the time of the lookup. */
const unusedNames = perNode({
  name: 'numbers that name no stream',
  create: () => new BoundedCache<string, number>(10_000),
  countEntries: ({ size }) => size,
})
const maxAgeMs = 60_000

/** Returns the name or id of a stream. A number is an id unless a stream has it as its name. */
async function resolveStream(
  app: App,
  { organization_id }: { organization_id: OrganizationId },
  rawName: string,
): Promise<string | number> {
  const name = checkStreamName(rawName.toWellFormed())
  if (!/^\d{1,15}$/.test(name)) return name
  const cache = unusedNames(app)
  const key = `${organization_id} ${name}`
  if (performance.now() - (cache.get(key) ?? Number.NEGATIVE_INFINITY) < maxAgeMs) return Number(name)
  if ((await findStreamId(app.db, organization_id, name)) !== undefined) return name
  cache.set(key, performance.now())
  return Number(name)
}

/** Resolves the recipient of a message. Returns undefined for a person without an account. */
async function resolveRecipient(
  app: App,
  actor: Actor,
  message: OutgoingMessage,
  { people }: SendRequest,
  stream: string | undefined,
): Promise<Recipient | undefined> {
  if (message.person !== undefined) {
    const person = people.get(message.person)
    return person && { kind: 'people', people: [person.id] }
  }
  const streamName = message.stream ?? stream
  if (streamName !== undefined) return { kind: 'stream', stream: await resolveStream(app, actor, streamName) }
  const owner = actor.bot?.owner_id
  if (!owner) throw new ApiError('BOT_WITHOUT_OWNER')
  return { kind: 'people', people: [owner] }
}

const fitTopicText = (topic: string): string =>
  checkTopic(fitTopic(topic.replaceAll('\0', '').toWellFormed()), 'cut')

/**
 * Builds an idempotency key, so that a repeated delivery sends its messages only once, even if two
 * nodes handle it concurrently.
 */
function makeIdempotencyKey(
  { name, deliveryId, replayed }: SendRequest,
  to: WebhookDestination,
  index: number,
): IdempotencyKey | undefined {
  const id = deliveryId ?? (replayed && `failure ${replayed.id}`)
  if (id === undefined) return undefined
  // The key includes the destination, because some services use the same id for several URLs of a
  // bot. It is hashed, because ids may have any length.
  const digest = hash('sha256', JSON.stringify([id, to.stream, to.topic]), 'base64url')
  // The key contains spaces, so it never equals an idempotency key of a client, which cannot
  // contain spaces.
  const key = `webhook ${name} ${digest} ${index}`
  return { key, fingerprint: hash('sha256', key, 'buffer'), isSaved: false }
}

async function ignoreReplay(sending: Promise<MessageId>): Promise<MessageId> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof IdempotentReplay) return (error.response as { id: MessageId }).id
    throw error
  }
}

/** The destination of messages, as named in the URL. */
interface WebhookDestination {
  stream: string | undefined
  topic: string | undefined
}

function parseDestination(
  delivery: Delivery,
  { escapesTwice = false }: Pick<Integration, 'escapesTwice'>,
): WebhookDestination {
  const read = (name: string) => {
    const value = getArgument(delivery, name)
    return value !== undefined && escapesTwice ? unescapeTwice(value) : value
  }
  return { stream: read('stream'), topic: read('topic') }
}

/** Decodes a text that some services percent-encode twice. A literal percent sign is kept. */
function unescapeTwice(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
