import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { DraftId } from '@oxbow/contract'
import { expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const garden = await world.stream('garden', { members: [iris, otto] })
const cellar = await world.stream('cellar', { members: [otto], invite_only: true, by: otto })

const plain = { type: '', to: [] as number[], topic: '', content: 'Prune the roses' }
const toGarden = { ...plain, type: 'stream', to: [garden.stream_id as number], topic: 'roses' }
const toOtto = { ...plain, type: 'private', to: [otto.user_id as number], timestamp: 1_700_000_000 }
const create = async (by: Person, ...drafts: object[]) =>
  (await by.drafts.create({ drafts: drafts as never })).ids as [DraftId, ...DraftId[]]
const list = async (by: Person) => (await by.on('b').drafts.list()).drafts
const clear = async (by: Person) => {
  for (const { id: draft_id } of await list(by)) await by.drafts.remove({ draft_id })
}

test('drafts are stored, listed by the last edit, replaced and deleted', async () => {
  const ids = await create(
    iris,
    { ...toOtto, to: [otto.user_id, otto.user_id], topic: 'ignored', timestamp: 1_700_000_000.9 },
    { ...toGarden, topic: ' roses ', content: '  indented \n', timestamp: 1_600_000_000, id: 7 },
    { ...plain, to: [5], topic: 'ignored', timestamp: 1_800_000_000 },
  )
  const [first, second, third] = ids as [DraftId, DraftId, DraftId]
  assert.deepEqual(await iris.drafts.list(), {
    count: 3,
    drafts: [
      { ...toGarden, id: second, content: '  indented', timestamp: 1_600_000_000 },
      { ...toOtto, id: first },
      { ...plain, id: third, timestamp: 1_800_000_000 },
    ],
  })

  await iris.drafts.edit({ draft_id: first, draft: toGarden as never })
  await iris.drafts.remove({ draft_id: third })

  const [, edited, ...rest] = await list(iris)
  assert.deepEqual(rest, [])
  const { timestamp, ...fields } = edited ?? {}
  assert.deepEqual(fields, { ...toGarden, id: first })
  assert.ok(Math.abs((timestamp ?? 0) - Date.now() / 1000) < 60)
  await clear(iris)
})

test('each change of drafts is sent in an event to their owner only', async () => {
  const changes = async () => {
    const [id, other] = (await create(iris, toOtto, plain)) as [DraftId, DraftId]
    await iris.drafts.edit({ draft_id: id, draft: { ...toOtto, content: 'Water' } as never })
    await iris.drafts.remove({ draft_id: other })
    await iris.drafts.create({ drafts: [] })
    return id
  }
  const events = await collectEvents(world, { iris, otto, robin, owner: world.owner }, changes)

  assert.deepEqual(
    Object.entries(events).filter(([name, list]) => name !== 'iris' && list.length > 0),
    [],
  )
  const [added, updated, removed, ...more] = (events.iris ?? []).map(({ id, ...event }) => event)
  assert.deepEqual(more, [])
  const [draft, other] = added?.type === 'drafts' && added.op === 'add' ? added.drafts : []
  assert.deepEqual(draft, { ...toOtto, id: draft?.id })
  assert.deepEqual(updated, { type: 'drafts', op: 'update', draft: { ...draft, content: 'Water' } })
  assert.deepEqual(removed, { type: 'drafts', op: 'remove', draft_id: other?.id })
  await clear(iris)
})

test('state before plus events equals state after, for drafts of people, guests and bots', async () => {
  for (const person of [iris, gus, robin])
    await expectSameState(world, { iris, gus, robin }, async () => {
      const old = { ...plain, timestamp: 1_000 }
      const [a, b, c] = (await create(person, old, { ...old, content: 'Water' }, plain)) as [
        DraftId,
        DraftId,
        DraftId,
      ]
      await person.on('b').drafts.edit({ draft_id: b, draft: { ...old, content: 'Weed' } as never })
      await person.drafts.edit({ draft_id: a, draft: { ...old, timestamp: 5_000_000_000 } as never })
      await person.on('b').drafts.remove({ draft_id: c })
      await Promise.all([
        create(person, old),
        create(person, old, plain),
        person.drafts.remove({ draft_id: b }),
      ])
    })
})

test('drafts of other users are refused like unknown drafts', async () => {
  const [draft_id] = await create(otto, plain)
  const gone = refusal('Draft does not exist', { status: 404 })
  for (const id of [draft_id, 0 as DraftId, 999_999_999 as DraftId]) {
    await assert.rejects(iris.drafts.edit({ draft_id: id, draft: plain as never }), gone)
    await assert.rejects(iris.drafts.remove({ draft_id: id }), gone)
    await assert.rejects(world.owner.drafts.remove({ draft_id: id }), gone)
  }
  assert.equal((await list(otto)).length, 1)
})

test('a request with an invalid draft is refused, and none of its drafts is stored', async () => {
  await clear(iris)
  const cases: [drafts: unknown, msg: string][] = [
    [{}, 'drafts is not a list'],
    [[{}], 'type key is missing from drafts[0]'],
    [[{ ...plain, type: 'stream' }], 'Must specify exactly 1 stream ID for stream messages'],
    [[{ ...toGarden, to: [1, 2] }], 'Must specify exactly 1 stream ID for stream messages'],
    [[toGarden, { ...toGarden, to: [cellar.stream_id] }], 'Invalid stream id'],
    [[{ ...toGarden, to: [999_999_999] }], 'Invalid stream id'],
    [[{ ...toOtto, to: [otto.user_id, 999_999_999] }], 'Invalid user ID 999999999'],
    [
      [{ ...toOtto, to: Array.from({ length: 1_001 }, (_, id) => id) }],
      'drafts[0]["to"] has too many items (limit: 1000)',
    ],
    [[{ ...plain, type: '__proto__' }], 'Invalid drafts[0]["type"]'],
    [[{ ...plain, to: ['1'] }], 'drafts[0]["to"][0] is not an integer'],
    [[{ ...plain, other: 1 }], 'Unexpected arguments: other'],
    [[{ ...plain, content: ' \n ' }], 'drafts[0]["content"] cannot be blank.'],
    [[{ ...plain, content: 'é'.repeat(5_001) }], 'content is too long (limit: 10000 bytes)'],
    [[{ ...plain, content: 'a\0b' }], 'Argument "drafts" contains a NUL character.'],
    [[{ ...toGarden, topic: 'x'.repeat(61) }], 'topic is too long (limit: 60 characters)'],
    [[{ ...plain, timestamp: -1 }], 'drafts[0]["timestamp"] must not be negative'],
    [[{ ...plain, timestamp: 1e300 }], 'drafts[0]["timestamp"] is too large'],
    [[{ ...plain, timestamp: '1' }], 'drafts[0]["timestamp"] is not a float'],
  ]
  for (const [drafts, msg] of cases) {
    const response = await call(world, iris, 'POST /drafts', { drafts: JSON.stringify(drafts) })
    assert.deepEqual(response, refusal(msg), JSON.stringify(drafts).slice(0, 200))
  }
  assert.deepEqual(await list(iris), [])
})

test('a draft to a stream that its owner has left can still be edited', async () => {
  const shed = await world.stream('shed', { members: [otto, gus], by: otto })
  const toShed = { ...toGarden, to: [shed.stream_id as number] }
  const [draft_id] = await create(gus, toShed)
  await gus.subscriptions.unsubscribe({ subscriptions: ['shed'] })

  await gus.drafts.edit({ draft_id, draft: { ...toShed, content: 'Later' } as never })

  assert.equal((await list(gus)).find(({ id }) => id === draft_id)?.content, 'Later')
  await assert.rejects(create(gus, toShed), refusal('Invalid stream id'))
})

test('the total size of the drafts of an account includes recipients and topics', async () => {
  const hugh = await world.person('hugh')
  const [draft_id] = await create(hugh, toOtto)
  await world.database.query(
    `update draft set recipients = array(select 100000 + n from generate_series(1, 1000) n) where id = $1`,
    [draft_id],
  )
  await world.database.query(
    `insert into draft (organization_id, user_id, type, recipients, topic, content, edited_at)
     select organization_id, user_id, type, recipients, topic, content, edited_at
     from draft, generate_series(1, 142) where id = $1`,
    [draft_id],
  )
  const tooLarge = refusal('Your drafts are too long together (limit: 1000000 bytes)')
  await assert.rejects(create(hugh, plain), tooLarge)
  const state = await hugh.events.register({ fetch_event_types: ['drafts'] })
  const listed = (await list(hugh)).toReversed()
  assert.equal(listed.length, 143)
  assert.deepEqual(state.drafts, listed)
  await deleteDraftRows(hugh)

  const [titled] = await create(hugh, toGarden)
  await world.database.query("update draft set topic = repeat('x', 1000000) where id = $1", [titled])
  await assert.rejects(create(hugh, plain), tooLarge)
})

test('the drafts of an account are limited to 1,000 and to one megabyte', async () => {
  await clear(robin)
  const many = (count: number, content = 'x') => Array.from({ length: count }, () => ({ ...plain, content }))
  const tooMany = refusal('You can have at most 1000 drafts.')
  const [draft_id] = await create(robin, ...many(999))
  const outcomes = await Promise.allSettled([create(robin, plain), create(robin, plain)])
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  await assert.rejects(create(robin, plain), tooMany)
  await robin.drafts.remove({ draft_id })
  await create(robin, plain)
  await deleteDraftRows(robin)

  const long = 'x'.repeat(10_000)
  const [first] = await create(robin, ...many(100, long))
  const tooLarge = refusal('Your drafts are too long together (limit: 1000000 bytes)')
  await assert.rejects(create(robin, plain), tooLarge)
  await robin.drafts.edit({ draft_id: first, draft: plain as never })
  await assert.rejects(create(robin, { ...plain, content: long }), tooLarge)
  await deleteDraftRows(robin)
})

const deleteDraftRows = ({ user_id }: Person) =>
  world.database.query('delete from draft where user_id = $1', [user_id])
