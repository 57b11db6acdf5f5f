import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { drainQueue, request, startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

/** Tests names of later protocol levels, which current scripts use without checking the level. */

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, otto] })
const den = await world.stream('den', { members: [iris], invite_only: true })

const sendByRequest = async (params: Record<string, string>) => {
  const { status, body } = await call(world, iris, 'POST /messages', { content: 'Pruned.', ...params })
  assert.equal(status, 200, JSON.stringify(body))
  return body.id as number
}
const toGarden = await sendByRequest({ type: 'channel', to: 'garden', topic: 'roses' })
const toOtto = await sendByRequest({ type: 'direct', to: `[${otto.user_id}]` })

const find = async (operator: string, operand: unknown, negated = false) => {
  const { status, body } = await call(world, iris, 'GET /messages', {
    anchor: 'newest',
    num_before: '100',
    num_after: '0',
    narrow: JSON.stringify([{ operator, operand, negated }]),
  })
  assert.equal(status, 200, JSON.stringify(body))
  return (body.messages as { id: number }[]).map(({ id }) => id)
}

test('types channel and direct are accepted as stream and private', async () => {
  const types = await Promise.all(
    [toGarden, toOtto].map(
      async (id) => (await iris.messages.getRaw({ message_id: id as never })).message.type,
    ),
  )
  assert.deepEqual(types, ['stream', 'private'])
  const unknown = await call(world, iris, 'POST /messages', { type: 'toString', to: 'x', content: 'x' })
  assert.deepEqual(unknown, refusal('Invalid message type'))
})

test('narrows accept channel, dm and is:dm, and ids as operands', async () => {
  for (const [operator, operand] of [
    ['channel', 'garden'],
    ['channel', garden.stream_id],
    ['stream', garden.stream_id],
    ['id', toGarden],
  ] as const)
    assert.ok((await find(operator, operand)).includes(toGarden), `${operator} ${operand}`)
  for (const [operator, operand] of [
    ['dm', otto.email],
    ['dm', [otto.user_id]],
    ['dm', otto.user_id],
    ['pm-with', [otto.user_id]],
    ['is', 'dm'],
    ['id', toOtto],
  ] as const)
    assert.deepEqual(await find(operator, operand), [toOtto], `${operator} ${operand}`)
  assert.deepEqual(new Set(await find('sender', iris.user_id)), new Set([toGarden, toOtto]))
  assert.ok(!(await find('is', 'dm', true)).includes(toOtto))
})

test('a queue accepts narrows with channel and is:dm', async () => {
  const open = (pair: [string, string]) => iris.events.register({ event_types: ['message'], narrow: [pair] })
  const queues = [await open(['channel', 'Garden']), await open(['is', 'dm'])]
  const sent = [
    await sendByRequest({ type: 'stream', to: 'garden', topic: 'roses' }),
    await sendByRequest({ type: 'private', to: `[${otto.user_id}]` }),
  ]
  await world.settled()
  for (const [index, queue] of queues.entries()) {
    const events = await drainQueue(iris, queue)
    const ids = events.flatMap((event) => (event.type === 'message' ? [event.message.id as number] : []))
    assert.deepEqual(ids, [sent[index]])
  }
})

test('GET /messages/{id} returns raw_content, and the same message object as GET /messages', async () => {
  const message_id = (await sendByRequest({
    type: 'stream',
    to: 'garden',
    topic: 'roses',
    content: '**Pruned.**',
  })) as never
  for (const apply_markdown of [true, false]) {
    const page = { anchor: String(message_id), num_before: 0, num_after: 0, apply_markdown }
    for (const person of [iris, otto, fern]) {
      const narrow = [{ operator: 'stream', operand: 'garden' }]
      const { messages } = await person.messages.list({ ...page, narrow })
      const single = await person.messages.getRaw({ message_id, apply_markdown })
      assert.deepEqual(single, { raw_content: '**Pruned.**', message: messages[0] })
    }
  }
  await assert.rejects(gus.messages.getRaw({ message_id }), refusal('Invalid message(s)'))
})

test('GET /realm/linkifiers returns the linkifiers of GET /realm/filters as objects instead of tuples', async () => {
  const params = { pattern: '#(?P<id>[0-9]+)', url_format_string: 'https://bugs.example/%(id)s' }
  const { id } = await world.owner.linkifiers.add(params)
  const { body } = await call(world, iris, 'GET /realm/linkifiers')
  assert.deepEqual(body.linkifiers, [{ id, pattern: params.pattern, url_format: params.url_format_string }])
})

test('GET /streams/{stream_id} returns a stream to users who see it in the list', async () => {
  const get = (person: typeof iris, id: number) => call(world, person, `GET /streams/${id}`)
  const { streams } = await iris.streams.list({})
  for (const { stream_id } of [garden, den]) {
    const { status, body } = await get(iris, stream_id)
    assert.equal(status, 200)
    assert.deepEqual(
      body.stream,
      streams.find((stream) => stream.stream_id === stream_id),
    )
  }
  const hidden = refusal('Invalid stream id')
  assert.deepEqual(await get(otto, den.stream_id), hidden)
  assert.deepEqual(await get(gus, garden.stream_id), hidden)
  assert.deepEqual(await get(otto, 999_999), hidden)
  assert.equal((await get(world.owner, den.stream_id)).status, 200)
})

test('GET /users/{email} finds people by the address that the API shows to the caller', async () => {
  const get = (person: typeof iris, email: string) => call(world, person, `GET /users/${email}`)
  const nobody = refusal('No such user')
  const expected = (await iris.users.get({ user_id: otto.user_id })).user
  for (const email of [otto.email, otto.email.toUpperCase(), encodeURIComponent(otto.email)])
    assert.deepEqual((await get(iris, email)).body.user, expected, email)
  assert.deepEqual(await get(iris, 'nobody@garden.example'), nobody)
  assert.deepEqual(await get(iris, 'notification-bot@oxbow.invalid'), nobody)

  const hidden = `user${otto.user_id}@localhost`
  for (const [visibility, caller, real] of [
    [4, world.owner, false],
    [4, iris, false],
    [3, world.owner, true],
    [3, iris, false],
  ] as const) {
    await world.database.query('update organization set email_address_visibility = $1', [visibility])
    await world.settled()
    const found = await get(caller, hidden)
    assert.equal((found.body.user as { user_id: number }).user_id, otto.user_id)
    assert.equal((await get(caller, otto.email)).status, real ? 200 : 400, `${visibility}`)
  }
  await world.database.query('update organization set email_address_visibility = 1')
})

test('a path below /users that is not an address gets 404', async () => {
  const { status } = await request(world.nodes.a.url, { path: '/api/v1/users/otto', credentials: iris })
  assert.equal(status, 404)
})
