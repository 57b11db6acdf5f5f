import type { MessageId } from '@oxbow/contract'
import type { Person, World } from '@oxbow/testkit'

/** Sends a message to a topic of a stream, and returns its id. */
export async function say(
  by: Person,
  { name }: { name: string },
  topic: string,
  content = 'Pruned.',
): Promise<MessageId> {
  const { id } = await by.messages.send({ type: 'stream', to: name, topic, content })
  return id as MessageId
}

/** Sends a private message, and returns its id. */
export async function tellPrivately(
  by: Person,
  to: readonly Person[],
  content = 'Pruned.',
): Promise<MessageId> {
  const { id } = await by.messages.send({
    type: 'private',
    to: to.map(({ user_id }) => user_id as number),
    content,
  })
  return id as MessageId
}

/** Makes a message as old as this, in seconds. */
export async function age({ database }: World, id: MessageId, seconds: number): Promise<void> {
  const text = 'update message set sent_at = now() - make_interval(secs => $2) where id = $1'
  await database.query(text, [id, seconds])
}

/** Sets rules of the organization: `allow_message_editing = false`. */
export async function rule({ database, organization_id }: World, assignment: string): Promise<void> {
  await database.query(`update organization set ${assignment} where id = $1`, [organization_id])
}

/** What of someone's messages around a stream is shown: topic and content. */
export async function readStream(by: Person, { name }: { name: string }) {
  const { messages } = await by.messages.list({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'stream', operand: name }],
  })
  return messages
}
