import assert from 'node:assert/strict'
import { messagesForSenders } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import type { Dice } from '@oxbow/testkit/seed'
import { foldTopic, isReceived, type Message } from '../model/model.ts'
import { listFitting, type Viewer } from '../model/narrows.ts'

/**
 * Asserts that the pages of conversations match the messages that the viewer received according to
 * the model.
 */
export async function checkConversations(viewer: Viewer, client: Client, dice: Dice): Promise<void> {
  const expected = listExpected(viewer)
  const limit = dice.pick([1, 2, 3, 100])
  const listed: object[] = []
  let before: number | undefined
  for (;;) {
    const params = { limit, ...(before !== undefined && { before }) }
    const { conversations, found_oldest, next_before } = await client.messages.conversations(params)
    // Timestamps are removed, because the model has no clock.
    listed.push(...conversations.map(({ timestamp: _, ...conversation }) => conversation))
    before = next_before
    assert.equal(found_oldest, next_before === undefined)
    if (found_oldest) break
  }
  assert.deepEqual(listed, expected, `conversations of ${viewer.name}, ${limit} at a time`)
}

function listExpected(viewer: Viewer): object[] {
  const { model, name, idOf } = viewer
  const newestFirst = [...model.messages.values()].sort((a, b) => b.id - a.id)
  const received = listFitting(viewer, []).toSorted((a, b) => b.id - a.id)
  const heads = [...Map.groupBy(received, keyOf).values()].map(([head]) => head as Message)
  return heads.map((head) => {
    const senders = newestFirst
      .filter((message) => keyOf(message) === keyOf(head) && message.id <= head.id)
      .slice(0, messagesForSenders)
      .filter((message) => message === head || isReceived(model, name, message))
      .map(({ sender }) => idOf(sender))
    const common = { max_message_id: head.id, sender_ids: [...new Set(senders)].slice(0, 4) }
    const { people, streamId, topic } = head
    if (!people) return { type: 'stream', stream_id: streamId, topic, ...common }
    const others = people.map((person) => idOf(person)).filter((id) => id !== idOf(name))
    return { type: 'private', user_ids: others.sort((a, b) => a - b), ...common }
  })
}

const keyOf = ({ people, streamId, topic }: Message): string =>
  people ? [...people].sort().join() : `${streamId} ${foldTopic(topic)}`
