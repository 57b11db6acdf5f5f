import assert from 'node:assert/strict'
import type { FetchedMessage, MessageId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import type { Person, World } from '../world.ts'

// Helpers that send and read messages. Tests of the endpoints themselves call the SDK directly.

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
