import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AnnouncedMessage, Event, MessageId } from '@oxbow/contract'
import type { State } from '@oxbow/sdk'
import { drainQueue, type Person, request, startWorld } from '@oxbow/testkit'
import { readMessage, sendPrivately } from '@oxbow/testkit/calls/messages'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const garden = await world.stream('garden', { members: [iris, otto] })

type Sending = Parameters<Person['messages']['send']>[0]
const sendToGarden = (person: Person, more: Partial<Sending> = {}) =>
  person.messages.send({ type: 'stream', to: 'garden', topic: 'roses', content: 'Pruned.', ...more })
const registerForMessages = (person: Person, more = {}) =>
  person.events.register({ event_types: ['message'], ...more })
type MessageEvent = Extract<Event, { type: 'message' }>
async function drainMessages(person: Person, queue: State, on: 'a' | 'b' = 'b') {
  await world.settled()
  const events = await drainQueue(person.on(on), queue)
  return events.filter((event): event is MessageEvent => event.type === 'message')
}

test('a stream message can address its stream by name in any case, by id, or in a list of one', async () => {
  for (const to of ['garden', ' GARDEN ', garden.stream_id, ['garden'], [garden.stream_id]] as never[]) {
    const message = await readMessage(otto, (await sendToGarden(iris, { to })).id)
    assert.ok(message.type === 'stream')
    assert.deepEqual(
      [message.stream_id, message.display_recipient, message.topic, message.subject, message.content],
      [garden.stream_id, 'garden', 'roses', 'roses', '<p>Pruned.</p>'],
    )
  }
})

test('a stream whose name is a number can be addressed by a string', async () => {
  const { stream_id } = await world.stream('42', { members: [iris] })
  const sent = await request(world.nodes.a.url, {
    method: 'POST',
    path: '/api/v1/messages',
    credentials: iris,
    form: { type: 'stream', to: '"42"', topic: 'answers', content: 'x' },
  })
  const message = await readMessage(iris, sent.body.id as MessageId)
  assert.ok(message.type === 'stream')
  assert.equal(message.stream_id, stream_id)
})

test('names with quotes and backslashes are sent unchanged', async () => {
  const name = 'the "old" shed \\ {"a": 1}'
  const { stream_id } = await world.stream(name, { members: [iris, rosa] })
  await world.database.query('update user_account set full_name = $2 where id = $1', [
    rosa.user_id,
    'Rosa "\\" Rose',
  ])

  const sent = await rosa.messages.send({ type: 'stream', to: stream_id, topic: 'keys', content: 'Lost.' })

  const { sender_full_name, display_recipient } = await readMessage(iris, sent.id)
  assert.deepEqual([sender_full_name, display_recipient], ['Rosa "\\" Rose', name])
})

test('first_message_id of an empty stream becomes the lowest id of the messages that are sent to it concurrently', async () => {
  for (const round of [1, 2, 3]) {
    const { stream_id } = await world.stream(`greenhouse ${round}`, { members: [iris, otto] })
    const send = (person: Person) =>
      person.messages.send({ type: 'stream', to: stream_id, topic: 'seeds', content: 'Sown.' })
    const sent = await Promise.all([iris, otto, iris, otto, iris, otto].map(send))
    await send(iris)

    const { streams } = await iris.streams.list({})
    const { first_message_id } = streams.find((stream) => stream.stream_id === stream_id) ?? {}
    assert.equal(first_message_id, Math.min(...sent.map(({ id }) => id)))
  }
})

test('private messages among the same people share one conversation, regardless of the sender and the order or form of recipients', async () => {
  const ids = [
    await sendPrivately(iris, [otto]),
    await sendPrivately(iris, [otto, iris]),
    await sendPrivately(otto, [iris]),
    (await iris.messages.send({ type: 'private', to: [otto.email.toUpperCase()], content: 'Psst.' })).id,
  ]
  const group = await sendPrivately(iris, [otto, rosa])
  const self = await sendPrivately(iris, [iris])

  const messages = await Promise.all([...ids, group, self].map((id) => readMessage(iris, id)))
  const recipients = messages.map(({ recipient_id }) => recipient_id)
  assert.equal(new Set(recipients.slice(0, 4)).size, 1)
  assert.equal(new Set(recipients).size, 3)
  const people = messages.map(
    (message) => message.type === 'private' && message.display_recipient.map(({ id }) => id),
  )
  assert.deepEqual(people.slice(-2), [[iris.user_id, otto.user_id, rosa.user_id], [iris.user_id]])
  assert.ok(messages.every((message) => message.type === 'private' && message.subject === ''))
})

test('messages sent by an interactive client are read for the sender, unless read_by_sender is false', async () => {
  const sendAs = async (client: string, more = {}) => {
    const { body } = await request(world.nodes.a.url, {
      method: 'POST',
      path: '/api/v1/messages',
      credentials: iris,
      headers: { 'user-agent': client },
      form: { type: 'stream', to: 'garden', topic: 'roses', content: 'x', ...more },
    })
    return (await readMessage(iris, body.id as MessageId)).flags
  }
  for (const client of ['Teapot/7.0', 'curl/7.68.0']) assert.deepEqual(await sendAs(client), [])
  const programs = ['Android', 'iOS', 'Desktop', 'Mobile', 'Electron', 'Terminal']
  const interactive = ['Chat', 'Zulip'].flatMap((product) => programs.map((name) => `${product}${name}/5.1`))
  for (const client of [...interactive, 'website', 'zulipterminal/0.7.0 Linux-6.1'])
    assert.deepEqual(await sendAs(client), ['read'], client)
  assert.deepEqual(await sendAs('curl/7.68.0', { read_by_sender: 'true' }), ['read'])
  assert.deepEqual(await sendAs('ZulipTerminal/0.7.0', { read_by_sender: 'false' }), [])
})

test('the message event and the fetched message have the same fields', async () => {
  const [html, raw] = [
    await registerForMessages(otto, { apply_markdown: true }),
    await registerForMessages(otto),
  ]
  const sent = await sendToGarden(iris, {
    content: '/me likes **roses**',
    topic: 'see https://example.com/plan',
  })
  const shared = await sendPrivately(iris, [otto, rosa])

  for (const [queue, apply_markdown] of [
    [html, true],
    [raw, false],
  ] as const) {
    const events = await drainMessages(otto, queue)
    for (const id of [sent.id, shared]) {
      const { flags, ...fetched } = await readMessage(otto, id, { apply_markdown })
      const event = events.find(({ message }) => message.id === id)
      assert.deepEqual(event?.message, fetched)
      assert.deepEqual(event?.flags, flags)
    }
  }
})

test('local_id is sent back only to the given queue, on any node', async () => {
  const [mine, other, theirs] = [
    await registerForMessages(iris),
    await registerForMessages(iris),
    await registerForMessages(otto),
  ]
  const local_id = 'any <string> at all: 77.01'
  const { id } = await sendToGarden(iris.on('b') as Person, { queue_id: mine.queue_id, local_id })
  // If the queue belongs to another user, the message is sent, but no queue gets the `local_id`.
  const foreign = await sendToGarden(iris, { queue_id: theirs.queue_id, local_id })
  const half = await sendToGarden(iris, { queue_id: mine.queue_id })

  const echoes = (events: MessageEvent[]) =>
    events.map(({ message, local_message_id }) => [
      message.id,
      (message as AnnouncedMessage).local_id,
      local_message_id,
    ])
  const nothing = (message: { id: MessageId }) => [message.id, undefined, undefined]
  const unechoed = [{ id }, foreign, half].map(nothing)
  for (const on of ['a', 'b'] as const) {
    assert.deepEqual(echoes(await drainMessages(iris, mine, on)), [
      [id, local_id, local_id],
      ...unechoed.slice(1),
    ])
    assert.deepEqual(echoes(await drainMessages(iris, other, on)), unechoed)
    assert.deepEqual(echoes(await drainMessages(otto, theirs, on)), unechoed)
  }
})

test('a retried request with the same idempotency key sends one message', async () => {
  const queue = await registerForMessages(otto)
  const send = (on: 'a' | 'b', key: string, content: string, queue_id = 'first') =>
    request(world.nodes[on].url, {
      method: 'POST',
      path: '/api/v1/messages',
      credentials: iris,
      headers: { 'idempotency-key': key },
      form: { type: 'stream', to: 'garden', topic: 'once', content, local_id: '1', queue_id },
    })
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => send(index % 2 ? 'a' : 'b', 'k1', 'once')),
  )
  const later = await send('a', 'k1', 'once')
  const restarted = await send('a', 'k1', 'once', 'second')
  const other = await send('b', 'k1', 'something else')

  const ids = new Set([...answers, later, restarted].map(({ body }) => body.id))
  assert.equal(ids.size, 1)
  assert.deepEqual([other.status, other.body.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  assert.deepEqual(
    (await drainMessages(otto, queue)).map(({ message }) => message.id),
    [...ids],
  )
})

test('a mention sets the mentioned flag for users who receive the message', async () => {
  const bot = await world.bot('gardener', otto)
  const queues = {
    otto: await registerForMessages(otto),
    rosa: await registerForMessages(rosa, { all_public_streams: true }),
    bot: await registerForMessages(bot),
  }
  const name = async (person: Person) => (await person.users.me()).full_name
  const content = `@**${await name(otto)}** @**${await name(rosa)}** @**${await name(bot)}** look`
  const { id } = await sendToGarden(iris, { content })

  const flagsOf = async (person: Person, queue: State) =>
    (await drainMessages(person, queue)).filter(({ message }) => message.id === id).map(({ flags }) => flags)
  assert.deepEqual(await flagsOf(otto, queues.otto), [['mentioned']])
  // Rosa is not subscribed.
  assert.deepEqual(await flagsOf(rosa, queues.rosa), [[]])
  // The bot is not subscribed either, but receives messages that mention it.
  assert.deepEqual(await flagsOf(bot, queues.bot), [['read', 'mentioned']])
  assert.deepEqual((await readMessage(otto, id)).flags, ['mentioned'])
  // The bot was never subscribed, so the message is not unread for it.
  assert.deepEqual((await readMessage(bot, id)).flags, ['read', 'mentioned'])
  const narrow = [{ operator: 'stream', operand: 'garden' }]
  const { messages } = await rosa.messages.list({ anchor: 'newest', num_before: 1, num_after: 0, narrow })
  assert.deepEqual([messages[0]?.id, messages[0]?.flags], [id, ['read', 'historical']])
})

test('a wildcard mention flags the message for all receivers without storing rows', async () => {
  const queues = [
    await registerForMessages(iris),
    await registerForMessages(otto),
    await registerForMessages(rosa, { all_public_streams: true }),
  ] as const
  const [{ rows: before } = { rows: 0 }] = await world.database.query<{ rows: number }>(
    'select count(*)::int as rows from user_message',
  )
  const { id } = await sendToGarden(iris, { content: '@**all** come' })

  const flags = async (person: Person, queue: State) => (await drainMessages(person, queue)).at(-1)?.flags
  assert.deepEqual(await flags(iris, queues[0]), ['wildcard_mentioned'])
  assert.deepEqual(await flags(otto, queues[1]), ['wildcard_mentioned'])
  assert.deepEqual(await flags(rosa, queues[2]), [])
  assert.deepEqual((await readMessage(otto, id)).flags, ['wildcard_mentioned'])
  const [{ rows: now } = { rows: -1 }] = await world.database.query<{ rows: number }>(
    'select count(*)::int as rows from user_message',
  )
  assert.equal(now, before)
})

test('has_alert_word is set for subscribers whose alert word occurs in the message', async () => {
  const words = [
    [iris, 'frost'],
    [otto, 'frost'],
    [otto, 'slug fest'],
    [rosa, 'frost'],
  ] as const
  for (const [person, word] of words) await person.alertWords.add({ alert_words: [word] })
  await world.settled()

  const frost = (await sendToGarden(iris, { content: 'Beware of FROST!' })).id
  const slugs = (await sendToGarden(iris, { content: 'It is slug fest, or frosty' })).id

  assert.deepEqual((await readMessage(iris, frost)).flags, ['has_alert_word'])
  assert.deepEqual((await readMessage(otto, frost)).flags, ['has_alert_word'])
  assert.deepEqual((await readMessage(iris, slugs)).flags, [])
  assert.deepEqual((await readMessage(otto, slugs)).flags, ['has_alert_word'])
  assert.deepEqual(
    await world.database.query('select from user_message where user_id = $1 and not is_private', [
      rosa.user_id,
    ]),
    [],
  )
})

test('a stream name becomes a link only if the writer can see the stream', async () => {
  await world.stream('cellar', { invite_only: true })
  const seen = async (person: Person) =>
    (await readMessage(iris, (await sendToGarden(person, { content: 'See #**cellar**' })).id)).content

  assert.equal(await seen(otto), '<p>See #<strong>cellar</strong></p>')
  assert.match(await seen(world.owner), /class="stream"/)
})

test("a deactivation or a change of key or role applies to the sender's next message", async () => {
  const fern = await world.person('fern')
  await sendToGarden(fern)
  const old = fern.api_key
  const { api_key } = await fern.users.regenerateApiKey()
  const send = (key: string) =>
    request(world.nodes.b.url, {
      method: 'POST',
      path: '/api/v1/messages',
      credentials: { email: fern.email, api_key: key },
      form: { type: 'stream', to: 'garden', topic: 'roses', content: 'x' },
    })
  assert.equal((await send(old)).status, 401)
  assert.equal((await send(api_key)).status, 200)
  await world.owner.users.update({ user_id: fern.user_id, role: 600 })
  assert.equal((await send(api_key)).body.msg, "Stream 'garden' does not exist")
  await world.owner.users.deactivate({ user_id: fern.user_id })
  assert.equal((await send(api_key)).body.code, 'USER_DEACTIVATED')
})
