import assert from 'node:assert/strict'
import type { Event, FetchedMessage, MessageId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import { openQueue, type Person, type Registration, type World } from '@oxbow/testkit'

// Helpers that send messages, read them, and collect the events of a change. Tests of the endpoints themselves call
// the SDK directly.

/** Sends a message to a topic of a stream, and returns its id. The stream is an object or a name. */
export async function sendToStream(
  sender: Client,
  stream: string | { name: string },
  topic: string,
  content = 'Pruned.',
): Promise<MessageId> {
  const to = typeof stream === 'string' ? stream : stream.name
  return (await sender.messages.send({ type: 'stream', to, topic, content })).id
}

/** Sends a private message, and returns its id. */
export async function sendPrivately(
  sender: Client,
  recipients: readonly Pick<Person, 'user_id'>[],
  content = 'Pruned.',
): Promise<MessageId> {
  const to = recipients.map(({ user_id }) => user_id)
  return (await sender.messages.send({ type: 'private', to, content })).id
}

/** Returns a message as the reader sees it, rendered as HTML unless asked otherwise. Fails if the reader cannot see it. */
export async function readMessage(
  reader: Client,
  id: MessageId,
  options: { apply_markdown?: boolean } = {},
): Promise<FetchedMessage> {
  const narrow = [{ operator: 'id', operand: String(id) }]
  const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow, ...options }
  const [message] = (await reader.messages.list(page)).messages
  assert.ok(message, `message ${id} is not visible`)
  return message
}

/**
 * Returns the newest 5,000 messages that match every operator, oldest first, with their Markdown
 * source as content: `readMessages(iris, { stream: 'garden', topic: 'roses' })`. Without operators,
 * returns messages that the reader received.
 */
export async function readMessages(
  reader: Client,
  operands: Readonly<Record<string, string>> = {},
): Promise<(FetchedMessage & { topic?: string })[]> {
  const narrow = Object.entries(operands).map(([operator, operand]) => ({ operator, operand }))
  const page = { anchor: 'newest', num_before: 5_000, num_after: 0, apply_markdown: false, narrow }
  return (await reader.messages.list(page)).messages
}

/** Sets the time at which a message was sent to `seconds` ago. */
export async function setMessageAge({ database }: World, id: MessageId, seconds: number): Promise<void> {
  const text = 'update message set sent_at = now() - make_interval(secs => $2) where id = $1'
  await database.query(text, [id, seconds])
}

/** People by the names that a test uses in its expectations. */
export type NamedPeople = Readonly<Record<string, Person>>

/**
 * Creates a queue for each person, makes a change, and returns the events of each queue. The queues
 * are read from node b.
 */
export async function collectEvents(
  world: World,
  people: NamedPeople,
  change: () => Promise<unknown>,
  registration: Registration = {},
): Promise<Record<string, Event[]>> {
  await world.settled()
  const queues = await Promise.all(
    Object.entries(people).map(
      async ([name, person]) => [name, await openQueue(person, registration)] as const,
    ),
  )
  await change()
  await world.settled()
  const received = queues.map(async ([name, queue]) => [name, await queue.rest('b')] as const)
  return Object.fromEntries(await Promise.all(received))
}

/** Collects events like `collectEvents`, each as a short text. People without events are omitted. */
export async function collectEventSummaries(
  world: World,
  people: NamedPeople,
  change: () => Promise<unknown>,
): Promise<Record<string, string[]>> {
  const names = new Map(Object.entries(people).map(([name, { user_id }]) => [user_id as number, name]))
  const events = await collectEvents(world, people, change)
  const rows = await world.database.query<{ id: number; name: string }>('select id::int, name from stream')
  const streams = new Map(rows.map(({ id, name }) => [id, name]))
  const summarize = (event: Event) => summarizeEvent(event, names, streams)
  return Object.fromEntries(
    Object.entries(events).flatMap(([name, list]) => (list.length > 0 ? [[name, list.map(summarize)]] : [])),
  )
}

/**
 * Returns a text such as `stream create plans`, `stream update plans name: "goals"`, `add plans` or
 * `peer_add plans iris`.
 */
function summarizeEvent(
  event: Event,
  people: ReadonlyMap<number, string>,
  streams: ReadonlyMap<number, string>,
): string {
  const listed = (list: readonly { name: string }[]) => list.map(({ name }) => name).join(', ')
  switch (event.type) {
    case 'stream':
      return event.op === 'update'
        ? `stream update ${event.name} ${event.property}: ${JSON.stringify(event.value)}`
        : `stream ${event.op} ${listed(event.streams)}`
    case 'subscription':
      if (event.op === 'add' || event.op === 'remove') return `${event.op} ${listed(event.subscriptions)}`
      if (event.op === 'update') return `update ${event.name} ${event.property}`
      return `${event.op} ${streams.get(event.stream_id)} ${people.get(event.user_id)}`
    case 'default_streams':
      return `default_streams ${listed(event.default_streams)}`
    case 'default_stream_groups':
      return `default_stream_groups ${event.default_stream_groups.map(({ name, streams }) => `${name}(${listed(streams)})`).join(', ')}`
    case 'realm':
      return `realm ${JSON.stringify(event)}`
    default:
      return event.type
  }
}
