import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWorld } from '@oxbow/testkit'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [world.owner, iris] })
await world.stream('cellar', { invite_only: true })

const good = { type: 'stream', to: 'garden', topic: 'roses', content: 'Pruned.' }
type Given = Partial<
  Record<keyof typeof good | 'subject' | 'queue_id' | 'local_id' | 'client', string | undefined>
>

const callSendMessage = (given: Record<string, string | undefined>, person = iris) => {
  const kept = Object.entries({ ...good, ...given }).filter(([, value]) => value !== undefined)
  return call(world, person, 'POST /messages', Object.fromEntries(kept) as Record<string, string>)
}
const callSendPrivately = (to: string | undefined) => callSendMessage({ type: 'private', to })

/** Requests with exactly one invalid parameter. */
const wrong: [
  about: string,
  given: Given & Record<string, string | undefined>,
  msg: string,
  more?: Record<string, unknown>,
][] = [
  ['a stream list of two', { to: '["garden","pond"]' }, 'Expected exactly one stream'],
  ['a stream list of none', { to: '[]' }, 'Expected exactly one stream'],
  ['a stream that is an object', { to: '{"a":1}' }, 'Invalid data type for stream'],
  ['a stream that is a fraction', { to: '1.5' }, 'Invalid data type for stream'],
  ['forged', { forged: 'yes' }, 'User not authorized for this query'],
  ['another organization', { realm_str: 'hill' }, 'User not authorized for this query'],
  ['a sender', { sender: 'otto@garden.example' }, 'Invalid mirrored message'],
  [
    'a later delivery without a time',
    { delivery_type: 'send_later' },
    'Missing deliver_at in a request for delayed message delivery',
  ],
  ['no stream', { to: undefined }, 'Missing stream'],
  ['no topic', { topic: undefined }, 'Missing topic'],
  ['a blank topic', { topic: ' \n ' }, "Topic can't be empty"],
  ['another type', { type: 'smoke' }, 'Invalid message type'],
  ['no content', { content: ' \n ' }, 'Message must not be empty'],
  ['a NUL', { content: 'a\0b' }, 'Message must not contain null bytes'],
  ['a blank name', { to: '"  "' }, "Invalid stream name '  '"],
  ['a long name', { to: 'x'.repeat(61) }, 'Stream name too long (limit: 60 characters).'],
  ['a NUL in the name', { to: '"a\\u0000b"' }, "Stream name 'a\0b' contains NULL (0x00) characters."],
  [
    'a name of nothing',
    { to: "it's <b>not</b>" },
    "Stream 'it's <b>not</b>' does not exist",
    { code: 'STREAM_DOES_NOT_EXIST', stream: "it's <b>not</b>" },
  ],
  [
    'an id of nothing',
    { to: '999999' },
    "Stream with ID '999999' does not exist",
    { code: 'STREAM_DOES_NOT_EXIST', stream_id: 999_999 },
  ],
  [
    "someone else's private stream",
    { to: 'cellar' },
    "Stream 'cellar' does not exist",
    { code: 'STREAM_DOES_NOT_EXIST', stream: 'cellar' },
  ],
]

for (const [about, given, msg, more] of wrong) {
  test(`a stream message with ${about} gets the response: ${msg}`, async () => {
    assert.deepEqual(await callSendMessage(given), refusal(msg, more))
  })
}

const wrongPeople: [to: string | undefined, msg: string][] = [
  ['[1,"a"]', 'Recipient lists may contain emails or user IDs, but not both.'],
  ['["a",1]', 'Recipient lists may contain emails or user IDs, but not both.'],
  ['9', 'Invalid data type for recipients'],
  ['[null]', 'Invalid data type for recipients'],
  ['{"a":1}', 'Invalid data type for recipients'],
  [undefined, 'Message must have recipients'],
  ['[]', 'Message must have recipients'],
  [' , ,', 'Message must have recipients'],
  ['ghost@example.com', "Invalid email 'ghost@example.com'"],
  ['otto@garden.example,ghost@example.com', "Invalid email 'ghost@example.com'"],
  ['[999999]', 'Invalid user ID 999999'],
]

for (const [to, msg] of wrongPeople) {
  test(`a private message to ${to} gets the response: ${msg}`, async () => {
    assert.deepEqual(await callSendPrivately(to), refusal(msg))
  })
}

test("a request with several errors reports the first in the protocol's order", async () => {
  const all = { to: '[]', forged: 'yes', topic: '', content: '', type: 'stream' }
  const order = [
    ['to', 'Expected exactly one stream', { to: '"nowhere"' }],
    ['forged', 'User not authorized for this query', { forged: 'no' }],
    ['topic', "Topic can't be empty", { topic: 'roses' }],
    ['content', 'Message must not be empty', { content: 'x' }],
    ['stream', "Stream 'nowhere' does not exist", {}],
  ] as const
  let given: Record<string, string> = all
  for (const [about, msg, mended] of order) {
    assert.equal((await callSendMessage(given)).body.msg, msg, about)
    given = { ...given, ...mended }
  }
})

test('topic and subject are aliases, and a request may use only one of them', async () => {
  const { status, body } = await callSendMessage({ subject: 'tulips' })

  assert.deepEqual([status, body.code], [400, 'REQUEST_CONFUSING_VAR'])
  assert.equal((await callSendMessage({ topic: undefined, subject: 'tulips' })).status, 200)
})

/** Characters with the number of bytes that they take in UTF-8. */
const letters = { a: 1, é: 2, 語: 3, 𝒳: 4 }

for (const [letter, bytes] of Object.entries(letters)) {
  test(`content of ${bytes}-byte characters can have up to 10000 bytes`, async () => {
    const most = Math.floor(10_000 / bytes)
    const rest = 'a'.repeat(10_000 - most * bytes)
    const whole = letter.repeat(most) + rest
    const { status, body } = await callSendMessage({ content: whole })
    assert.equal(status, 200)
    assert.equal((await iris.messages.getRaw({ message_id: body.id as never })).raw_content, whole)
    // Trailing white space is removed before the length is checked.
    assert.equal((await callSendMessage({ content: `${whole} \n\n` })).status, 200)

    for (const longer of [`${whole}a`, `a${whole}`, whole + letter])
      assert.deepEqual(
        await callSendMessage({ content: longer }),
        refusal('content is too long (limit: 10000 bytes)'),
      )
  })

  test(`a topic of ${bytes}-byte characters can have up to 60 characters`, async () => {
    for (const length of [59, 60]) {
      const topic = letter.repeat(length)
      const { status, body } = await callSendMessage({ topic: ` ${topic} ` })
      assert.equal(status, 200)
      const narrow = [{ operator: 'id', operand: String(body.id) }]
      const { messages } = await iris.messages.list({ anchor: 'newest', num_before: 1, num_after: 0, narrow })
      assert.deepEqual(
        messages.map((message) => message.subject),
        [topic],
      )
    }
    assert.deepEqual(
      await callSendMessage({ topic: letter.repeat(61) }),
      refusal('topic is too long (limit: 60 characters)'),
    )
  })
}

test('a message whose HTML would be too long is refused', async () => {
  assert.deepEqual(
    await callSendMessage({ content: '🌹'.repeat(2_500) }),
    refusal('Unable to render message'),
  )
})

test('a private message may have 1000 recipients, and its topic is empty', async () => {
  const ids = Array.from({ length: 1_001 }, (_, index) => index + 1)
  assert.deepEqual(await callSendPrivately(JSON.stringify(ids)), refusal('Too many recipients (limit: 1000)'))
  assert.equal(
    (await callSendMessage({ type: 'private', to: `[${otto.user_id}]`, topic: 'x'.repeat(61) })).status,
    200,
  )
})

test('guests can post only to streams that they are subscribed to, and members also to public streams', async () => {
  const unknown = { code: 'STREAM_DOES_NOT_EXIST', stream: 'garden' }
  assert.deepEqual(await callSendMessage({}, gus), refusal("Stream 'garden' does not exist", unknown))
  assert.equal((await callSendMessage({}, otto)).status, 200)
  await world.owner.subscriptions.subscribe({
    subscriptions: [{ name: 'garden' }],
    principals: [gus.user_id],
  })
  assert.equal((await callSendMessage({}, gus)).status, 200)
})

test('private messages to deactivated users are refused', async () => {
  const fern = await world.person('fern')
  assert.equal((await callSendPrivately(`[${fern.user_id}]`)).status, 200)
  await world.owner.users.deactivate({ user_id: fern.user_id })

  for (const to of [`[${fern.user_id}]`, JSON.stringify([fern.email]), `[${fern.user_id},${otto.user_id}]`])
    assert.deepEqual(await callSendPrivately(to), refusal(`'${fern.email}' is no longer using Oxbow.`))
})

test('with private messages disabled only conversations with bots are allowed', async () => {
  const bot = await world.bot('robot', iris)
  await world.database.query('update organization set private_message_policy = 2')
  const off = refusal('Private messages are disabled in this organization.')

  assert.deepEqual(await callSendPrivately(`[${otto.user_id}]`), off)
  assert.deepEqual(await callSendPrivately(`[${iris.user_id}]`), off)
  assert.deepEqual(await callSendPrivately(`[${otto.user_id},${bot.user_id}]`), off)
  assert.equal((await callSendPrivately(`[${bot.user_id}]`)).status, 200)
  assert.equal((await callSendMessage({ type: 'private', to: `[${otto.user_id}]` }, bot)).status, 200)
  await world.database.query('update organization set private_message_policy = 1')
  assert.equal((await callSendPrivately(`[${otto.user_id}]`)).status, 200)
})

test('preconditions are checked again at each send, even if they were cached', async () => {
  const received = async () => (await callSendMessage({})).body.msg
  assert.equal(await received(), '')
  await world.owner.streams.update({ stream_id: garden.stream_id, stream_post_policy: 2 })
  assert.equal(await received(), 'Only organization administrators can send to this stream.')
  await world.owner.streams.update({ stream_id: garden.stream_id, stream_post_policy: 1 })
  assert.equal(await received(), '')
  await world.owner.streams.update({ stream_id: garden.stream_id, new_name: 'orchard' })
  assert.equal(await received(), "Stream 'garden' does not exist")
  const other = await world.stream('garden')
  const { body } = await callSendMessage({})
  const narrow = [{ operator: 'stream', operand: other.stream_id as number }]
  const { messages } = await iris.messages.list({ anchor: 'newest', num_before: 9, num_after: 0, narrow })
  assert.ok(messages.some(({ id }) => id === body.id))
})
