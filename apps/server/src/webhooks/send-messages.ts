import { hash } from 'node:crypto'
import { ApiError, type MessageId } from '@oxbow/contract'
import { fitTopic, type Said } from '@oxbow/integrations'
import { checkContent, checkTopic } from '../messages/content/draft.ts'
import { postMessage } from '../messages/send/post-message.ts'
import type { Recipient } from '../messages/send/recipients.ts'
import { type Actor, type IdempotencyKey, IdempotentReplay } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Person } from './find-people.ts'
import type { Handling } from './handle-delivery.ts'
import { type Place, readPlace } from './read-place.ts'
import { resolveStream } from './resolve-stream.ts'

interface Sending extends Handling {
  messages: readonly Said[]
  people: ReadonlyMap<string, Person>
  deliveryId: string | undefined
}

/** In order. The first that is refused ends it; those before it stay, and are not sent again with the delivery. */
export async function sendMessages(app: App, actor: Actor, sending: Sending): Promise<MessageId[]> {
  const { integration, delivery } = sending
  const given = readPlace(delivery, integration)
  const client = `Chat${integration.client}Webhook`
  const sent: MessageId[] = []
  for (const [place, said] of sending.messages.entries()) {
    const recipient = await readRecipient(app, actor, said, sending, given.stream)
    if (!recipient) continue
    const topic = recipient.kind === 'stream' ? topicOf(given.topic ?? said.topic) : ''
    const content = checkContent(said.content.toWellFormed(), 'cut')
    const idempotencyKey = makeIdempotencyKey(sending, given, place)
    const sender = { ...actor, client, ...(idempotencyKey && { idempotencyKey }) }
    sent.push(await once(postMessage(app, sender, { recipient, topic, content })))
  }
  return sent
}

/** Undefined where it is for someone whom nobody knows here. */
async function readRecipient(
  app: App,
  actor: Actor,
  said: Said,
  { people }: Sending,
  stream: string | undefined,
): Promise<Recipient | undefined> {
  if (said.person !== undefined) {
    const person = people.get(said.person)
    return person && { kind: 'people', people: [person.id] }
  }
  const named = said.stream ?? stream
  if (named !== undefined) return { kind: 'stream', stream: await resolveStream(app, actor, named) }
  const owner = actor.bot?.owner_id
  if (!owner) throw new ApiError('BOT_WITHOUT_OWNER')
  return { kind: 'people', people: [owner] }
}

const topicOf = (topic: string): string =>
  checkTopic(fitTopic(topic.replaceAll('\0', '').toWellFormed()), 'cut')

/** What is delivered twice is said once, also when two nodes get it at the same moment: the send itself looks. */
function makeIdempotencyKey(
  { name, deliveryId, replayed }: Sending,
  to: Place,
  place: number,
): IdempotencyKey | undefined {
  const id = deliveryId ?? (replayed && `failure ${replayed.id}`)
  if (id === undefined) return undefined
  // Some services give the same id to several URLs of a bot. Of any length, so a digest.
  const digest = hash('sha256', JSON.stringify([id, to.stream, to.topic]), 'base64url')
  // With blanks, which no key of a caller has.
  const key = `webhook ${name} ${digest} ${place}`
  return { key, fingerprint: hash('sha256', key, 'buffer'), isSaved: false }
}

async function once(sending: Promise<MessageId>): Promise<MessageId> {
  try {
    return await sending
  } catch (error) {
    if (error instanceof IdempotentReplay) return (error.response as { id: MessageId }).id
    throw error
  }
}
