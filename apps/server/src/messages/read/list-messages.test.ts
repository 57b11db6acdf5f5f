import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { MessageId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto, rosa] = await world.people('iris', 'otto', 'rosa')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [iris, otto] })
await world.stream('pond', { members: [otto] })
await world.stream('cellar', { by: otto, members: [otto], invite_only: true })

const newest = 10 ** 16
const ids: MessageId[] = []

/** Sends ten messages, six of them to one stream and topic. */
before(async () => {
  await world.settled()
  const keep = async (sent: Promise<MessageId>) => void ids.push(await sent)
  await keep(sendToStream(iris, 'garden', 'Roses', 'one')) // 0
  await keep(sendToStream(otto, 'garden', 'roses', 'two https://example.com')) // 1
  await keep(sendPrivately(iris, [otto], 'Psst.')) // 2
  await keep(sendToStream(iris, 'garden', 'ROSES', 'three')) // 3
  await keep(sendToStream(otto, 'pond', 'roses', 'four')) // 4
  await keep(sendPrivately(rosa, [iris, otto], 'Psst.')) // 5
  await keep(sendToStream(iris, 'garden', 'tulips', 'five')) // 6
  await keep(sendToStream(otto, 'cellar', 'roses', 'six')) // 7
  await keep(sendToStream(rosa, 'garden', 'roses', 'seven https://example.com/rose.png')) // 8
  await keep(sendPrivately(iris, [iris], 'Psst.')) // 9
})

type ListParams = Partial<Parameters<Person['messages']['list']>[0]>
const list = (person: Person, params: ListParams) =>
  person.messages.list({ anchor: 'oldest', num_before: 0, num_after: 100, ...params })
const term = (operator: string, operand: string | number | number[], negated = false) => ({
  operator,
  operand,
  negated,
})

/** Returns the indices of the found messages among the ten messages. */
async function found(person: Person, ...narrow: ReturnType<typeof term>[]): Promise<number[]> {
  const { messages } = await list(person, { narrow })
  return messages.flatMap(({ id }) => (ids.includes(id) ? [ids.indexOf(id)] : []))
}

test('GET /messages without a narrow lists all received messages', async () => {
  assert.deepEqual(await found(iris), [0, 1, 2, 3, 5, 6, 8, 9])
  assert.deepEqual(await found(otto), [0, 1, 2, 3, 4, 5, 6, 7, 8])
  assert.deepEqual(await found(rosa), [5])
  assert.deepEqual(await found(gus), [])
})

const inGarden = term('stream', 'garden')

test('narrows by stream, topic and sender list matching messages', async () => {
  assert.deepEqual(await found(iris, inGarden), [0, 1, 3, 6, 8])
  assert.deepEqual(await found(iris, term('stream', garden.stream_id)), [0, 1, 3, 6, 8])
  assert.deepEqual(await found(iris, inGarden, term('topic', 'rOSES')), [0, 1, 3, 8])
  assert.deepEqual(await found(otto, term('topic', 'roses')), [0, 1, 3, 4, 7, 8])
  assert.deepEqual(await found(otto, term('sender', iris.user_id)), [0, 2, 3, 6])
  assert.deepEqual(await found(otto, term('sender', iris.email.toUpperCase())), [0, 2, 3, 6])
  assert.deepEqual(await found(otto, inGarden, term('sender', iris.email)), [0, 3, 6])
})

test('narrows by conversation list matching messages', async () => {
  assert.deepEqual(await found(iris, term('pm-with', otto.email)), [2])
  assert.deepEqual(await found(iris, term('pm-with', [otto.user_id])), [2])
  assert.deepEqual(await found(iris, term('pm-with', [iris.user_id, otto.user_id])), [2])
  assert.deepEqual(await found(iris, term('pm-with', `${rosa.email}, ${otto.email}`)), [5])
  assert.deepEqual(await found(iris, term('pm-with', iris.email)), [9])
  assert.deepEqual(await found(rosa, term('pm-with', otto.email)), [])
  assert.deepEqual(await found(iris, term('group-pm-with', rosa.user_id)), [5])
  assert.deepEqual(await found(iris, term('pm_with', otto.email)), [2])
})

test('narrows by flags and properties list matching messages', async () => {
  assert.deepEqual(await found(iris, term('is', 'private')), [2, 5, 9])
  assert.deepEqual(await found(otto, term('has', 'link')), [1, 8])
  assert.deepEqual(await found(otto, term('has', 'image')), [8])
  assert.deepEqual(await found(otto, term('has', 'attachment')), [])
  assert.deepEqual(await found(otto, term('id', String(ids[4]))), [4])
  assert.deepEqual(await found(iris, term('id', String(ids[4]))), [])
  assert.deepEqual(await found(iris, term('near', 'anything'), term('in', 'all')), [0, 1, 2, 3, 5, 6, 8, 9])
})

test('negated narrow terms list the other messages', async () => {
  assert.deepEqual(await found(otto, term('stream', 'garden', true)), [2, 4, 5, 7])
  assert.deepEqual(await found(otto, term('topic', 'roses', true)), [2, 5, 6])
  assert.deepEqual(await found(otto, term('is', 'private', true)), [0, 1, 3, 4, 6, 7, 8])
  assert.deepEqual(await found(otto, term('sender', otto.user_id, true)), [0, 2, 3, 5, 6, 8])
  assert.deepEqual(await found(otto, inGarden, term('topic', 'roses', true)), [6])
  assert.deepEqual(await found(otto, term('has', 'link', true), inGarden), [0, 3, 6])
  assert.deepEqual(await found(otto, term('pm-with', iris.email, true), term('is', 'private')), [5])
})

test('guests read the history of a public stream to which they are subscribed, in any order of the terms', async () => {
  const gwen = await world.person('gwen', 'guest')
  await otto.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }], principals: [gwen.user_id] })
  const inPublic = term('streams', 'public')
  for (const narrow of [
    [inGarden],
    [inPublic, inGarden],
    [inGarden, inPublic],
    [inPublic, inGarden, inPublic],
  ])
    assert.deepEqual(await found(gwen, ...narrow), [0, 1, 3, 6, 8])
  assert.deepEqual(await found(gwen, inPublic), [])
})

test('public history is listed for all users except guests, and private history only for subscribers', async () => {
  assert.deepEqual(await found(rosa, inGarden), [0, 1, 3, 6, 8])
  assert.deepEqual(await found(rosa, inGarden, term('topic', 'roses')), [0, 1, 3, 8])
  assert.deepEqual(await found(rosa, term('streams', 'public')), [0, 1, 3, 4, 6, 8])
  assert.deepEqual(await found(rosa, term('streams', 'public'), term('sender', otto.user_id)), [1, 4])
  assert.deepEqual(await found(rosa, term('streams', 'public', true)), [5])
  await assert.rejects(found(gus, inGarden), { errorName: 'BAD_NARROW' })
  assert.deepEqual(await found(gus, term('streams', 'public')), [])
  await assert.rejects(found(iris, term('stream', 'cellar')), { errorName: 'BAD_NARROW' })
  // Only received messages have flags.
  assert.deepEqual(await found(rosa, inGarden, term('is', 'unread', true)), [])
})

/** Pages of the garden stream, which has messages 0, 1, 3, 6 and 8. */
const pages: [anchor: string, before: number, after: number, expected: number[], found: string][] = [
  ['newest', 2, 0, [6, 8], 'newest'],
  ['newest', 2, 9, [6, 8], 'newest'],
  ['newest', 5, 0, [0, 1, 3, 6, 8], 'newest'],
  ['newest', 6, 0, [0, 1, 3, 6, 8], 'oldest newest'],
  ['newest', 0, 0, [], 'newest'],
  ['oldest', 0, 2, [0, 1], 'oldest'],
  ['oldest', 9, 2, [0, 1], 'oldest'],
  ['oldest', 0, 5, [0, 1, 3, 6, 8], 'oldest'],
  ['oldest', 0, 6, [0, 1, 3, 6, 8], 'oldest newest'],
  ['-7', 0, 1, [0], 'oldest'],
  ['message 3', 1, 1, [1, 3, 6], 'anchor'],
  ['message 3', 0, 1, [3, 6], 'anchor'],
  ['message 3', 0, 0, [3], 'anchor'],
  ['message 3', 2, 2, [0, 1, 3, 6, 8], 'anchor'],
  ['message 3', 3, 3, [0, 1, 3, 6, 8], 'anchor oldest newest'],
  ['message 2', 1, 1, [1, 3], ''],
  ['message 2', 0, 0, [], ''],
  ['message 8', 0, 1, [8], 'anchor newest'],
  ['message 0', 1, 0, [0], 'anchor oldest'],
]

for (const [anchor, num_before, num_after, expected, parts] of pages) {
  test(`a page with ${num_before} before and ${num_after} after ${anchor} lists the expected messages and found_ fields`, async () => {
    const index = anchor.split(' ')[1]
    const id = index === undefined ? anchor : String(ids[Number(index)])
    const { messages, ...fields } = await iris.messages.list({
      anchor: id,
      num_before,
      num_after,
      narrow: [inGarden],
    })
    const has = (part: string) => parts.split(' ').includes(part)
    assert.deepEqual(
      messages.map(({ id }) => ids.indexOf(id)),
      expected,
    )
    const words: Record<string, number> = { newest, oldest: 0, '-7': 0 }
    const effective = words[anchor] ?? Number(id)
    assert.deepEqual(fields, {
      anchor: effective,
      found_anchor: has('anchor'),
      found_oldest: has('oldest'),
      found_newest: has('newest'),
      history_limited: false,
    })
  })
}

test('the first_unread anchor is the oldest unread message, or newest if there is none', async () => {
  const fern = await world.person('fern')
  const sent: MessageId[] = []
  for (const content of ['one', 'two', 'three'])
    sent.push((await iris.messages.send({ type: 'private', to: [fern.user_id], content })).id)
  const anchorOf = async (params: ListParams) =>
    (await fern.messages.list({ num_before: 0, num_after: 0, ...params })).anchor

  assert.equal(await anchorOf({ anchor: 'first_unread' }), sent[0])
  assert.equal(await anchorOf({ use_first_unread_anchor: true, anchor: 'newest' }), sent[0])
  await fern.messages.changeFlags({ messages: sent.slice(0, 2), op: 'add', flag: 'read' })
  assert.equal(await anchorOf({ use_first_unread_anchor: true }), sent[2])
  assert.equal(await anchorOf({ anchor: 'first_unread', narrow: [term('pm-with', otto.email)] }), newest)
  await fern.messages.changeFlags({ messages: sent, op: 'add', flag: 'read' })
  assert.equal(await anchorOf({ anchor: 'first_unread' }), newest)
})

const get = (params: Record<string, string>) =>
  call(world, iris, 'GET /messages', { anchor: 'newest', num_before: '1', num_after: '0', ...params })
const badNarrow = (desc: string) => refusal(`Invalid narrow operator: ${desc}`, { code: 'BAD_NARROW', desc })
const badTerms: [narrow: unknown, desc: string][] = [
  [[['stream', 'nowhere']], 'unknown stream nowhere'],
  [[{ operator: 'stream', operand: 999_999 }], 'unknown stream 999999'],
  [[['streams', 'private']], 'unknown streams operand private'],
  [[['sender', 'ghost@example.com']], 'unknown user ghost@example.com'],
  [[{ operator: 'sender', operand: 999_999 }], 'unknown user 999999'],
  [[['pm-with', 'ghost@example.com']], 'unknown user in ghost@example.com'],
  [[['pm-with', `${otto.email},`]], `unknown user in ${otto.email},`],
  [[{ operator: 'pm-with', operand: [999_998, 999_999] }], 'unknown user in [999998, 999999]'],
  [[{ operator: 'pm-with', operand: [] }], 'unknown user in []'],
  [[['group-pm-with', 'ghost@example.com']], 'unknown user ghost@example.com'],
  [[['is', 'blue']], "unknown 'is' operand blue"],
  [[['has', 'thorns']], "unknown 'has' operand thorns"],
  [[['in', 'office']], "unknown 'in' operand office"],
  [[['id', 'x']], 'Invalid message ID'],
  [[['colour', 'blue']], 'unknown operator colour'],
]

for (const [narrow, desc] of badTerms) {
  test(`an invalid narrow is refused: ${desc}`, async () => {
    assert.deepEqual(await get({ narrow: JSON.stringify(narrow) }), badNarrow(desc))
  })
}

test('missing and invalid parameters are refused with their errors', async () => {
  const without = await call(world, iris, 'GET /messages', { num_before: '1', num_after: '0' })
  assert.deepEqual(without, refusal("Missing 'anchor' argument."))
  assert.deepEqual(await get({ anchor: 'x' }), refusal('Invalid anchor'))
  assert.deepEqual(
    await get({ num_before: '5000', num_after: '1' }),
    refusal('Too many messages requested (maximum 5000).'),
  )
  assert.equal((await get({ num_before: '5000', num_after: '0' })).status, 200)
  assert.equal((await get({ num_before: '-1' })).body.code, 'REQUEST_VARIABLE_INVALID')
})

test('fetching messages does not change their flags', async () => {
  const unread = async () =>
    (await otto.events.register({ fetch_event_types: ['message', 'update_message_flags'] })).unread_msgs
  const before = await unread()
  await list(otto, {})
  assert.deepEqual(await unread(), before)
})

test('in:home omits muted topics and streams, and a negated in:home does the same', async () => {
  const quiet = await world.person('quentin')
  await world.owner.subscriptions.subscribe({
    subscriptions: [{ name: 'lawn' }, { name: 'lake' }],
    principals: [quiet.user_id],
  })
  const sent: MessageId[] = []
  for (const [to, topic] of [
    ['lawn', 'roses'],
    ['lawn', 'weeds'],
    ['lake', 'frogs'],
  ])
    sent.push((await otto.messages.send({ type: 'stream', to: to as string, topic, content: 'x' })).id)
  await quiet.subscriptions.muteTopic({ stream: 'lawn', topic: 'WEEDS', op: 'add' })
  const { stream_id } = await quiet.streams.getId({ stream: 'lake' })
  await quiet.subscriptions.setProperties({
    subscription_data: [{ stream_id, property: 'is_muted', value: true }],
  })
  const listIds = async (...narrow: ReturnType<typeof term>[]) =>
    (await list(quiet, { narrow })).messages.flatMap(({ id }) =>
      sent.includes(id) ? [sent.indexOf(id)] : [],
    )

  assert.deepEqual(await listIds(), [0, 1, 2])
  assert.deepEqual(await listIds(term('in', 'home')), [0])
  assert.deepEqual(await listIds(term('in', 'home', true)), [0])
  const firstUnread = async (...narrow: ReturnType<typeof term>[]) =>
    sent.indexOf((await list(quiet, { anchor: 'first_unread', num_after: 0, narrow })).anchor as MessageId)
  assert.equal(await firstUnread(), 0)
  await quiet.messages.changeFlags({ messages: [sent[0] as MessageId], op: 'add', flag: 'read' })
  assert.equal(await firstUnread(), -1)
  // If the narrow contains a stream, only muted topics are skipped.
  assert.equal(await firstUnread(term('stream', 'lake')), 2)
  assert.equal(await firstUnread(term('stream', 'lawn')), -1)
  assert.equal(await firstUnread(term('stream', 'lawn', true)), 2)
})
