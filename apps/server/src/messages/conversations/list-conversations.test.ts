import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Conversation } from '@oxbow/contract'
import { type Person, request, startWorld } from '@oxbow/testkit'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, otto, gus] })
const say = async (topic: string, { by = otto, to = garden.stream_id } = {}) =>
  (await by.messages.send({ type: 'stream', to, topic, content: 'Pruned.' })).id
const write = async (to: Person[], by = otto) =>
  (await by.messages.send({ type: 'private', to: to.map(({ user_id }) => user_id), content: 'Hello.' })).id

async function listAll(person: Person, limit: number): Promise<Conversation[]> {
  const all: Conversation[] = []
  let before: number | undefined
  for (;;) {
    const page = await person.messages.conversations({ limit, ...(before !== undefined && { before }) })
    assert.ok(page.conversations.length <= limit)
    all.push(...page.conversations)
    before = page.next_before
    if (page.found_oldest) return all
  }
}

test('each conversation is listed once, newest first, with its last senders', async () => {
  await say('roses')
  await say('Roses', { by: iris })
  const withIris = await write([iris])
  const withBoth = await write([iris, gus])
  const note = await write([iris], iris)
  const reeds = await say('reeds')
  const roses = await say('ROSES', { by: gus })
  const { stream_id } = garden

  const { messages } = await iris.messages.list({ anchor: 'newest', num_before: 100, num_after: 0 })
  const sentAt = new Map(messages.map(({ id, timestamp }) => [id, timestamp]))
  const expected = [
    {
      type: 'stream',
      stream_id,
      topic: 'ROSES',
      max_message_id: roses,
      sender_ids: [gus.user_id, iris.user_id, otto.user_id],
    },
    { type: 'stream', stream_id, topic: 'reeds', max_message_id: reeds, sender_ids: [otto.user_id] },
    { type: 'private', user_ids: [], max_message_id: note, sender_ids: [iris.user_id] },
    {
      type: 'private',
      user_ids: [otto.user_id, gus.user_id].sort((a, b) => a - b),
      max_message_id: withBoth,
      sender_ids: [otto.user_id],
    },
    { type: 'private', user_ids: [otto.user_id], max_message_id: withIris, sender_ids: [otto.user_id] },
  ].map((conversation) => ({ ...conversation, timestamp: sentAt.get(conversation.max_message_id) }))
  for (const limit of [1, 2, 100]) assert.deepEqual(await listAll(iris, limit), expected)
})

test('`before` omits conversations whose newest message is later', async () => {
  await say('old')
  const middle = await say('middle')
  await say('old')

  const { conversations } = await iris.messages.conversations({ before: middle + 1 })
  const topics = conversations.flatMap((each) => (each.type === 'stream' ? [each.topic] : []))
  assert.ok(topics.includes('middle'))
  assert.ok(!topics.includes('old'))
})

test('a busy topic does not hide older conversations', async () => {
  const pond = await world.stream('pond', { members: [otto, iris] })
  const to = pond.stream_id
  await say('quiet', { to })
  for (let count = 0; count < 12; count++) await say('busy', { to })

  const topics = (await listAll(iris, 1)).flatMap((each) =>
    each.type === 'stream' && each.stream_id === to ? [each.topic] : [],
  )
  assert.deepEqual(topics, ['busy', 'quiet'])
})

test('newer messages of a stream that the account left do not hide a conversation that it received', async () => {
  const lake = await world.stream('lake', { members: [otto, iris] })
  const to = lake.stream_id
  const received = await say('boats', { to })
  await iris.subscriptions.unsubscribe({ subscriptions: ['lake'] })
  await say('boats', { to })
  const later = await say('roses')

  for (const given of [{}, { before: later }]) {
    const { conversations } = await iris.messages.conversations(given)
    const boats = conversations.find((each) => each.type === 'stream' && each.stream_id === to)
    assert.equal(boats?.max_message_id, received)
  }
})

test('a starred message of a stream that the account never joined is listed, and its other messages are not', async () => {
  const field = await world.stream('field', { members: [otto] })
  const to = field.stream_id
  const starred = await say('wheat', { to })
  await say('rye', { to })
  await iris.messages.changeFlags({ messages: [starred], op: 'add', flag: 'starred' })

  const found = (await listAll(iris, 3)).filter((each) => each.type === 'stream' && each.stream_id === to)
  assert.deepEqual(
    found.map(({ max_message_id }) => max_message_id),
    [starred],
  )
})

test('an invalid limit is refused', async () => {
  for (const limit of ['0', '201']) {
    const { status, body } = await request(world.nodes.a.url, {
      path: `/api/v1/users/me/conversations?limit=${limit}`,
      credentials: iris,
    })
    assert.deepEqual([status, body.msg], [400, 'limit is not between 1 and 200'])
  }
})
