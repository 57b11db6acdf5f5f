import assert from 'node:assert/strict'
import type { FetchedMessage } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import type { Dice } from '@oxbow/testkit/seed'
import {
  flagsOf,
  isReadable,
  isReceived,
  type Message,
  type Model,
  type Name,
  shownEdits,
  shownSubmessages,
  streamOf,
} from '../model/model.ts'
import type { Condition, Viewer } from '../model/narrows.ts'
import { type PageRequest, pageOf } from '../model/pages.ts'

export const everything: PageRequest = { anchor: 'newest', num_before: 1000, num_after: 0 }

/** Returns a random page: around a message, between two messages, at an end of the list or beyond it. */
export function pickPage(dice: Dice, { messages }: Model): PageRequest {
  const ids = [...messages.keys()]
  const near = ids.length > 0 ? dice.pick(ids) + dice.pick([-1, 0, 0, 0, 1]) : 1
  return {
    anchor: dice.pick([String(near), String(near), 'newest', 'oldest', 'first_unread']),
    num_before: dice.pick([0, 0, 1, 2, 3, 7, 100]),
    num_after: dice.pick([0, 0, 1, 2, 3, 7, 100]),
  }
}

/**
 * Asserts that the server's page of a narrow has the messages and flags of the model's page, and
 * reports correctly whether it reaches the ends.
 */
export async function checkListed(
  viewer: Viewer,
  client: Client,
  narrow: readonly Condition[],
  pageRequest: PageRequest,
): Promise<void> {
  const expected = pageOf(viewer, narrow, pageRequest)
  const terms = narrow.map(({ term }) => term)
  const response = await client.messages.list({ ...pageRequest, narrow: terms, apply_markdown: false })
  const about = `${viewer.name} with ${narrow.map(describe).join(' ') || 'no narrow'} ${JSON.stringify(pageRequest)}`
  const ids = response.messages.map(({ id }) => id as number)
  assert.deepEqual(ids, expected.ids, `${about}: ${differences(viewer, ids, expected.ids)}`)
  const { anchor, found_anchor, found_oldest, found_newest } = response
  const { ids: _ids, ...found } = expected
  assert.deepEqual({ anchor, found_anchor, found_oldest, found_newest }, found, about)
  for (const message of response.messages) checkShown(viewer, message, about)
}

function describe({ term: { operator, operand, negated } }: Condition): string {
  return `${negated ? '-' : ''}${operator}:${JSON.stringify(operand)}`
}

function differences({ model, name }: Viewer, real: readonly number[], expected: readonly number[]): string {
  const describe = (id: number) => describeMessage(model, name, id)
  const more = real.filter((id) => !expected.includes(id)).map(describe)
  const less = expected.filter((id) => !real.includes(id)).map(describe)
  return `there should not be ${more.join(', ') || 'anything else'}; missing is ${less.join(', ') || 'nothing'}\n`
}

export function describeMessage(model: Model, name: Name, id: number): string {
  const message = model.messages.get(id)
  if (!message) return `${id} (which does not exist)`
  const { sender, people, sentTo, streamId, topic, receivers, notes } = message
  const where = people
    ? `to ${people.join('+')}`
    : `sent to ${sentTo}, in ${streamId} ${streamOf(model, streamId).kind} > ${topic}, received by ${[...receivers]}, noted by ${[...notes.keys()]}`
  const how = isReceived(model, name, message)
    ? 'received'
    : isReadable(model, name, message)
      ? 'readable'
      : 'hidden'
  return `${id} (${how}: from ${sender} ${where})`
}

function withId(reaction: string, idOf: Viewer['idOf']): string {
  const [name, emoji] = reaction.split(' ')
  return `${idOf(name as Name)} ${emoji}`
}

function checkShown({ model, name, idOf }: Viewer, shown: FetchedMessage, about: string): void {
  const message = model.messages.get(shown.id) as Message
  const real = {
    sender: shown.sender_id as number,
    content: shown.content,
    flags: shown.flags as string[],
    edits: shown.edit_history?.length ?? 0,
    reactions: shown.reactions.map(({ user_id, emoji_name }) => `${user_id} ${emoji_name}`).sort(),
    submessages: shown.submessages.map(({ sender_id, content }) => `${sender_id} ${content}`),
    ...(shown.type === 'stream'
      ? { stream: shown.stream_id as number, topic: shown.topic }
      : { people: shown.display_recipient.map(({ id }) => id as number).sort((a, b) => a - b) }),
  }
  const expected = {
    sender: idOf(message.sender),
    content: message.text.content,
    flags: flagsOf(model, name, message),
    edits: shownEdits(model, name, message).length,
    reactions: [...message.reactions].map((reaction) => withId(reaction, idOf)).sort(),
    submessages: shownSubmessages(model, name, message).map(({ by, content }) => `${idOf(by)} ${content}`),
    ...(message.people
      ? { people: message.people.map(idOf).sort((a, b) => a - b) }
      : { stream: message.streamId, topic: message.topic }),
  }
  assert.deepEqual(real, expected, `${about}, shown is ${describeMessage(model, name, message.id)}`)
}
