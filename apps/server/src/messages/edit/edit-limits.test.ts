import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type MessageId, maxEditBytes, maxEdits } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const garden = await world.stream('garden', { members: [iris, otto, ada] })
const shed = await world.stream('shed', { members: [ada] })

/** Adds edits whose earlier texts have this many bytes. */
async function addEdits(id: MessageId, count: number, bytes: number): Promise<void> {
  await world.database.query(
    `insert into message_edit (organization_id, message_id, user_id, edited_at, prev_content, prev_rendered_content)
     select organization_id, id, sender_id, now(), repeat('x', $3), ''
     from message, generate_series(1, $2) where id = $1`,
    [id, count, bytes],
  )
  await world.database.query('update message set edited_at = now() where id = $1', [id])
}

const tooMany = refusal('This message was edited too often (limit: 500 times). Send a new message instead.')
const tooLarge = refusal(
  'The earlier versions of this message are too long together (limit: 1000000 bytes). Send a new message instead.',
)

test('a message can be edited only a limited number of times, by concurrent edits too', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'Pruned.')
  await addEdits(message_id, maxEdits - 1, 10)

  const edits = ['a', 'b', 'a', 'b'].map((node, index) =>
    iris.on(node as 'a' | 'b').messages.edit({ message_id, content: `Pruned ${index}.` }),
  )
  const outcomes = await Promise.allSettled(edits)

  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  await assert.rejects(iris.messages.edit({ message_id, content: 'Pruned again.' }), tooMany)
  await assert.rejects(iris.messages.edit({ message_id, topic: 'tulips' }), tooMany)
  const [row] = await world.database.query<{ count: number }>(
    'select count(*)::int as count from message_edit where message_id = $1',
    [message_id],
  )
  assert.equal(row?.count, maxEdits)
})

test('the earlier versions of a message have a limited number of bytes', async () => {
  const message_id = await sendToStream(iris, garden, 'roses', 'Prune')
  await addEdits(message_id, 1, maxEditBytes - 'Prune<p>Prune</p>'.length)

  await iris.messages.edit({ message_id, content: 'Water' })
  await assert.rejects(iris.messages.edit({ message_id, content: 'Prune' }), tooLarge)
  await otto.messages.edit({ message_id, topic: 'tulips' })
})

test('administrators can move a message that was edited too often, alone or with its topic', async () => {
  const message_id = await sendToStream(iris, garden, 'oaks', 'Pruned.')
  await addEdits(message_id, maxEdits + 100, 10)

  await assert.rejects(otto.messages.edit({ message_id, topic: 'elms' }), tooMany)
  await ada.messages.edit({ message_id, topic: 'elms' })
  await ada.messages.edit({ message_id, stream_id: shed.stream_id, propagate_mode: 'change_all' })
  const own = await sendToStream(ada, garden, 'oaks', 'Pruned.')
  await addEdits(own, maxEdits, 10)
  await assert.rejects(ada.messages.edit({ message_id: own, content: 'Watered.' }), tooMany)
})

test('a message that was edited too often can be moved along with another message', async () => {
  const edited = await sendToStream(iris, garden, 'beans', 'Pruned.')
  await addEdits(edited, maxEdits, 10)
  const message_id = await sendToStream(iris, garden, 'beans', 'Watered.')

  await iris.messages.edit({ message_id, topic: 'peas', propagate_mode: 'change_all' })

  const { message } = await otto.messages.getRaw({ message_id: edited })
  assert.equal(message.subject, 'peas')
})
