import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type MadeStream, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
await setOrganizationRules(world, 'allow_message_editing = true, message_content_edit_limit_seconds = 0')
await setOrganizationRules(world, 'allow_community_topic_editing = true')
const [inside, outside] = await world.people('inside', 'outside')
const guest = await world.person('guest', 'guest')
const bot = await world.bot('robin', outside)
let made = 0

/**
 * Changes to the old stream after the move, each with the users who can access the stream
 * afterwards.
 */
const laterChanges: Record<string, { by(stream: MadeStream): Promise<unknown>; readers: readonly Person[] }> =
  {
    public: { by: async () => {}, readers: [owner, inside, outside, bot] },
    private: {
      by: ({ stream_id }) => owner.streams.update({ stream_id, is_private: true }),
      readers: [owner, inside],
    },
    archived: { by: ({ stream_id }) => owner.streams.archive({ stream_id }), readers: [] },
  }

/** All requests whose responses contain edits of a message. */
const requests: Record<string, (by: Person, message_id: MessageId, stream: MadeStream) => Promise<object>> = {
  history: async (by, message_id) => (await by.messages.history({ message_id })).message_history,
  list: async (by, id, { name }) => {
    const narrow = [{ operator: 'stream', operand: name }]
    const { messages } = await by.messages.list({ anchor: String(id), num_before: 0, num_after: 0, narrow })
    return messages
  },
  'one message': (by, message_id) => by.messages.getRaw({ message_id }),
}

for (const [state, { by: change, readers }] of Object.entries(laterChanges)) {
  for (const propagate_mode of ['change_one', 'change_all'] as const) {
    test(`edits made in a stream that is now ${state} are shown only to users who can access the stream (${propagate_mode})`, async () => {
      const from = await world.stream(`from ${++made}`, { members: [owner, inside] })
      const to = await world.stream(`to ${made}`, { members: [owner, inside, outside, guest, bot] })
      const swept = await sendToStream(inside, from, 'secret first', 'secret draft')
      await inside.messages.edit({ message_id: swept, content: 'fine' })
      await inside.messages.edit({ message_id: swept, topic: 'secret second' })
      const named = await sendToStream(inside, from, 'secret second', 'fine')
      const moved = propagate_mode === 'change_all' ? [swept, named] : [swept]
      const message_id = moved.at(-1) as MessageId
      await owner.messages.edit({ message_id, stream_id: to.stream_id, topic: 'open', propagate_mode })
      await inside.messages.edit({ message_id: swept, topic: 'later' })

      await change(from)

      for (const person of [owner, inside, outside, guest, bot]) {
        for (const [request, read] of Object.entries(requests)) {
          for (const id of moved) {
            const text = JSON.stringify(await read(person, id, to))
            const about = `${request} of ${person.email}: ${text}`
            if (!readers.includes(person)) assert.ok(!/secret|prev_stream/.test(text), about)
            else if (request !== 'one message') assert.match(text, /secret/, about)
          }
        }
      }
    })
  }
}

test('edits made after a message left a hidden stream are shown to all readers of the message', async () => {
  const from = await world.stream(`from ${++made}`, { members: [inside] })
  const to = await world.stream(`to ${made}`, { members: [owner, inside, guest] })
  const message_id = await sendToStream(inside, from, 'secret', 'text')
  await owner.messages.edit({ message_id, stream_id: to.stream_id, topic: 'open' })
  await inside.messages.edit({ message_id, content: 'text, mended' })

  const { message_history } = await guest.messages.history({ message_id })

  assert.deepEqual(
    message_history.map(({ topic, content, prev_content, user_id }) => [
      topic,
      content,
      prev_content,
      user_id,
    ]),
    [
      ['open', 'text', undefined, inside.user_id],
      ['open', 'text', undefined, owner.user_id],
      ['open', 'text, mended', 'text', inside.user_id],
    ],
  )
})
