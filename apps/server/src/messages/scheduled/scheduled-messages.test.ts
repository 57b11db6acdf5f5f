import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { maxScheduledMessages, maxTimestamp } from '@oxbow/contract'
import { openQueue, request, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { listScheduled, nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [world.owner, iris] })
const cellar = await world.stream('cellar', { invite_only: true })
const lawn = await world.stream('lawn')

test('the author of a scheduled message can list it and gets its event, and others cannot list it', async () => {
  const inbox = await openQueue(iris, { event_types: ['scheduled_messages'] })
  const at = nextWeek()
  const id = await schedule(iris, { to: 'garden', content: 'Prune **now** ', at })
  const expected = {
    scheduled_message_id: id,
    delivery_type: 'send_later',
    type: 'stream',
    to: garden.stream_id,
    topic: 'roses',
    content: 'Prune **now**',
    rendered_content: '<p>Prune <strong>now</strong></p>',
    scheduled_delivery_timestamp: at,
    failed: false,
  }

  assert.deepEqual(await listScheduled(iris.on('b')), [expected])
  assert.deepEqual(await listScheduled(otto), [])
  const state = await iris.events.register({ fetch_event_types: ['scheduled_messages'] })
  assert.deepEqual(state.scheduled_messages, [expected])
  const [event] = await inbox.take(1)
  assert.deepEqual(event, {
    id: event?.id,
    type: 'scheduled_messages',
    op: 'add',
    scheduled_messages: [expected],
  })
})

test('scheduled messages are ordered by time, then by id, and list recipients without the sender', async () => {
  const fern = await world.person('fern')
  const at = nextWeek()
  const last = await schedule(fern, { to: [otto.user_id, iris.user_id], at: at + 1 })
  const first = await schedule(fern, { type: 'direct', to: [fern.user_id], at })
  const second = await schedule(fern, { type: 'channel', to: 'garden', at })

  const listed = await listScheduled(fern)
  assert.deepEqual(
    listed.map(({ scheduled_message_id, type, to }) => [scheduled_message_id, type, to]),
    [
      [first, 'private', [fern.user_id]],
      [second, 'stream', garden.stream_id],
      [last, 'private', [iris.user_id, otto.user_id]],
    ],
  )
})

test('PATCH changes text, recipient and time, separately or together', async () => {
  const moss = await world.person('moss')
  const id = await schedule(moss, { to: 'garden' })
  const inbox = await openQueue(moss, { event_types: ['scheduled_messages'] })
  const edit = async (changes: object) => {
    await moss.on('b').scheduledMessages.edit({ scheduled_message_id: id, ...changes })
    const [event] = await inbox.take(1)
    const [listed] = await listScheduled(moss)
    assert.deepEqual(
      event?.type === 'scheduled_messages' && event.op === 'update' && event.scheduled_message,
      listed,
    )
    return listed
  }

  const texted = await edit({ content: '*Later*' })
  assert.deepEqual([texted?.content, texted?.rendered_content], ['*Later*', '<p><em>Later</em></p>'])
  const at = nextWeek() + 60
  assert.equal((await edit({ scheduled_delivery_timestamp: at }))?.scheduled_delivery_timestamp, at)
  const moved = await edit({ topic: 'tulips' })
  assert.deepEqual(moved?.type === 'stream' && [moved.topic, moved.to], ['tulips', garden.stream_id])
  const elsewhere = await edit({ to: lawn.stream_id })
  assert.deepEqual(elsewhere?.type === 'stream' && [elsewhere.topic, elsewhere.to], [
    'tulips',
    lawn.stream_id,
  ])
  const direct = await edit({ type: 'direct', to: [otto.user_id] })
  assert.deepEqual([direct?.type, direct?.to, direct?.content], ['private', [otto.user_id], '*Later*'])
  const all = await edit({
    type: 'stream',
    to: garden.stream_id,
    topic: 'x',
    content: 'y',
    scheduled_delivery_timestamp: at,
  })
  assert.deepEqual(all?.type === 'stream' && [all.to, all.topic, all.content], [garden.stream_id, 'x', 'y'])
})

test('DELETE removes a scheduled message once', async () => {
  const id = await schedule(otto, { to: 'garden' })
  const inbox = await openQueue(otto, { event_types: ['scheduled_messages'] })
  await otto.scheduledMessages.remove({ scheduled_message_id: id })

  assert.deepEqual(await listScheduled(otto), [])
  const [event] = await inbox.take(1)
  assert.deepEqual(event, {
    id: event?.id,
    type: 'scheduled_messages',
    op: 'remove',
    scheduled_message_id: id,
  })
  assert.deepEqual(
    await call(world, otto, `DELETE /scheduled_messages/${id}`),
    refusal('Scheduled message does not exist', { status: 404 }),
  )
})

test("requests for another account's scheduled message get the same error as for a missing one", async () => {
  const id = await schedule(iris, { to: 'garden' })
  const unknown = refusal('Scheduled message does not exist', { status: 404 })
  for (const person of [otto, world.owner]) {
    assert.deepEqual(await call(world, person, `PATCH /scheduled_messages/${id}`, { content: 'x' }), unknown)
    assert.deepEqual(await call(world, person, `DELETE /scheduled_messages/${id}`), unknown)
  }
  assert.deepEqual(await call(world, iris, 'DELETE /scheduled_messages/99999999999999999999'), unknown)
})

const good = () => ({
  type: 'stream',
  to: 'garden',
  topic: 'roses',
  content: 'Pruned.',
  scheduled_delivery_timestamp: String(nextWeek()),
})

test('a message that could not be sent now cannot be scheduled', async () => {
  const cases: [params: Record<string, string>, msg: string, more?: Record<string, unknown>][] = [
    [{ to: '[]' }, 'Expected exactly one stream'],
    [{ scheduled_delivery_timestamp: '1' }, 'Scheduled delivery time must be in the future.'],
    [{ scheduled_delivery_timestamp: '-5' }, 'Scheduled delivery time must be in the future.'],
    [{ scheduled_delivery_timestamp: String(maxTimestamp + 1) }, 'Invalid time format'],
    [{ scheduled_delivery_timestamp: '1.5' }, 'scheduled_delivery_timestamp is not an integer'],
    [{ type: 'smoke' }, 'Invalid message type'],
    [{ topic: ' ' }, "Topic can't be empty"],
    [{ content: ' ' }, 'Message must not be empty'],
    [{ content: 'a\0b' }, 'Message must not contain null bytes'],
    [{ content: 'x'.repeat(10_001) }, 'content is too long (limit: 10000 bytes)'],
    [{ type: 'private', to: '[]' }, 'Message must have recipients'],
    [{ type: 'private', to: '[999999]' }, 'Invalid user ID 999999'],
    [
      { to: 'nowhere' },
      "Stream 'nowhere' does not exist",
      { code: 'STREAM_DOES_NOT_EXIST', stream: 'nowhere' },
    ],
    [
      { to: String(cellar.stream_id) },
      `Stream with ID '${cellar.stream_id}' does not exist`,
      { code: 'STREAM_DOES_NOT_EXIST', stream_id: cellar.stream_id },
    ],
  ]
  const before = await listScheduled(iris)
  const [id] = before.map(({ scheduled_message_id }) => scheduled_message_id)
  for (const [params, msg, more] of cases) {
    const wrong = refusal(msg, more)
    assert.deepEqual(
      await call(world, iris, 'POST /scheduled_messages', { ...good(), ...params }),
      wrong,
      msg,
    )
    assert.deepEqual(
      await call(world, iris, `PATCH /scheduled_messages/${id}`, { ...good(), ...params }),
      wrong,
      `PATCH: ${msg}`,
    )
  }
  assert.deepEqual(await listScheduled(iris), before)
})

test('incomplete edits of scheduled messages are refused', async () => {
  const id = await schedule(iris, { to: 'garden' })
  const cases: [params: Record<string, string>, msg: string][] = [
    [{}, 'Nothing to change'],
    [{ type: 'private' }, 'Recipient required when updating type of scheduled message.'],
    [{ type: 'channel', to: '5' }, 'Topic required when updating scheduled message type to stream.'],
    [{ to: '[1,2]' }, 'Expected exactly one stream'],
  ]
  for (const [params, msg] of cases)
    assert.deepEqual(await call(world, iris, `PATCH /scheduled_messages/${id}`, params), refusal(msg))
})

test('retries with the same idempotency key schedule one message, even after it was deleted', async () => {
  const wren = await world.person('wren')
  const form = good()
  const post = () =>
    request(world.nodes.b.url, {
      method: 'POST',
      path: '/api/v1/scheduled_messages',
      credentials: wren,
      headers: { 'idempotency-key': 'once' },
      form,
    })
  const responses = await Promise.all([post(), post(), post()])
  const [listed] = await listScheduled(wren)
  await wren.scheduledMessages.remove({ scheduled_message_id: listed?.scheduled_message_id as never })
  responses.push(await post())

  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.scheduled_message_id]),
    responses.map(() => [200, listed?.scheduled_message_id]),
  )
  assert.deepEqual(await listScheduled(wren), [])
})

test('an account cannot exceed the number of scheduled messages, even with concurrent requests', async () => {
  const reed = await world.person('reed')
  await schedule(reed, { to: 'garden' })
  await world.database.query(
    `insert into scheduled_message (organization_id, sender_id, is_reminder, stream_id, topic, content, rendered_content,
       client, origin, is_read_by_sender, deliver_at, attempt_at)
     select organization_id, sender_id, is_reminder, stream_id, topic, content, rendered_content, client, origin,
       is_read_by_sender, deliver_at, attempt_at
     from scheduled_message, generate_series(1, $2) where sender_id = $1`,
    [reed.user_id, maxScheduledMessages - 3],
  )
  const requests = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      call(world, reed, 'POST /scheduled_messages', { ...good(), content: `${index}` }),
    ),
  )

  assert.equal(requests.filter(({ status }) => status === 200).length, 2)
  const refused = requests.find(({ status }) => status !== 200)
  assert.deepEqual(refused, refusal('Too many scheduled messages (limit: 1000)'))
  // Long lists are sent in several pieces.
  const listed = await listScheduled(reed)
  assert.equal(listed.length, maxScheduledMessages)
  const state = await reed.events.register({ fetch_event_types: ['scheduled_messages'] })
  assert.deepEqual(state.scheduled_messages, listed)
})

const tooLarge = refusal('Your scheduled messages are too long together (limit: 4000000 bytes)')

test("neither new messages nor edits can exceed the total size of an account's scheduled messages", async () => {
  const long = 'x'.repeat(10_000)
  const kay = await world.person('kay')
  const first = await schedule(kay, { to: 'garden', content: 'short' })
  await schedule(kay, { to: 'garden', content: long })
  // The size of a message includes its text and its HTML, which is one paragraph here.
  await world.database.query(
    `insert into scheduled_message (organization_id, sender_id, is_reminder, stream_id, topic, content, rendered_content,
       client, origin, is_read_by_sender, deliver_at, attempt_at)
     select organization_id, sender_id, is_reminder, stream_id, topic, content, rendered_content, client, origin,
       is_read_by_sender, deliver_at, attempt_at
     from scheduled_message, generate_series(1, 197) where sender_id = $1 and content = $2`,
    [kay.user_id, long],
  )
  const post = (content: string) => call(world, kay, 'POST /scheduled_messages', { ...good(), content })
  const edit = (content: string) => call(world, kay, `PATCH /scheduled_messages/${first}`, { content })
  assert.equal((await post(long)).status, 200)
  assert.deepEqual(await post(long), tooLarge)
  assert.deepEqual(await edit(long), tooLarge)
  assert.equal((await edit('x'.repeat(9_000))).status, 200)
  assert.deepEqual(await post('x'.repeat(1_000)), tooLarge)

  const listed = await listScheduled(kay)
  const state = await kay.events.register({ fetch_event_types: ['scheduled_messages'] })
  assert.equal(listed.length, 200)
  assert.deepEqual(state.scheduled_messages, listed)
})

test('rendered texts, widgets and recipients are included in the size of scheduled messages', async () => {
  for (const change of [
    "rendered_content = repeat('x', 4000000)",
    "widget_content = repeat('x', 4000000)",
    'people = array(select 100000 + n from generate_series(1, 600000) n)',
  ]) {
    const person = await world.person(`someone${change.length}`)
    const id = await schedule(person, { to: [iris.user_id] })
    await world.database.query(`update scheduled_message set ${change} where id = $1`, [id])
    assert.deepEqual(await call(world, person, 'POST /scheduled_messages', good()), tooLarge, change)
  }
})
