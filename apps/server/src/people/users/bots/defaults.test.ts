import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openQueue, type Person, type Registration, startWorld } from '@oxbow/testkit'
import { makeBot } from '@oxbow/testkit/calls/bots'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const iris = await world.person('iris')
const garden = await world.stream('garden', { by: iris })
const pond = await world.stream('pond', { by: iris })

/**
 * Returns which of two streams send their messages to a bot's queue although the bot is not
 * subscribed.
 */
async function listReceivedStreams(bot: Person, registration: Registration): Promise<string[]> {
  const queue = await openQueue(bot, { event_types: ['message'], ...registration })
  for (const { stream_id, name } of [garden, pond])
    await iris.messages.send({ type: 'stream', to: stream_id, topic: 'x', content: name })
  await world.settled()
  return (await queue.rest('b')).map((event) => (event.type === 'message' ? event.message.content : ''))
}

test('queues of a bot use its defaults unless the request overrides them', async () => {
  const wide = await makeBot(world, iris, 'wide', { default_all_public_streams: true })
  const narrow = await makeBot(world, iris, 'narrow', {
    default_all_public_streams: true,
    default_events_register_stream: 'pond',
  })
  const plain = await makeBot(world, iris, 'plain')

  assert.deepEqual(await listReceivedStreams(plain, {}), [])
  assert.deepEqual(await listReceivedStreams(plain, { all_public_streams: true }), ['garden', 'pond'])
  assert.deepEqual(await listReceivedStreams(wide, {}), ['garden', 'pond'])
  assert.deepEqual(await listReceivedStreams(wide, { all_public_streams: false }), [])
  assert.deepEqual(await listReceivedStreams(narrow, {}), ['pond'])
  assert.deepEqual(await listReceivedStreams(narrow, { narrow: [] }), ['pond'])
  assert.deepEqual(await listReceivedStreams(narrow, { narrow: [['stream', 'garden']] }), ['garden'])
})

test('a message without a stream is sent to the default sending stream', async () => {
  const sender = await makeBot(world, iris, 'sender', { default_sending_stream: 'garden', bot_type: 2 })
  const params = { type: 'stream', topic: 'roses', content: 'Pruned.' }
  const { status, body } = await call(world, sender, 'POST /messages', params)
  assert.equal(status, 200)
  const narrowed = [{ operator: 'id', operand: String(body.id) }]
  const { messages } = await iris.messages.list({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: narrowed,
  })
  assert.equal(messages[0]?.display_recipient, 'garden')

  const plain = await makeBot(world, iris, 'mute')
  for (const person of [plain, iris])
    assert.deepEqual(await call(world, person, 'POST /messages', params), refusal('Missing stream'))
})
