import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Attention, type api, type ParamsOf } from '@oxbow/contract'

import { eventually, expectSameState, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { Dice, testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const garden = await world.stream('garden', { members: [owner, iris, otto, gus] })
const pond = await world.stream('pond', { members: [owner, iris] })
const vault = await world.stream('vault', { members: [owner, otto], invite_only: true })

type Policy = ParamsOf<typeof api.subscriptions.setAttention>['visibility_policy']

const set = (person: Person, topic: string, visibility_policy: Policy, { stream_id } = garden) =>
  person.subscriptions.setAttention({ stream_id, topic, visibility_policy })
const attentionOf = async (person: Person) =>
  ((await person.on('b').events.register({ fetch_event_types: ['user_topic'] })).user_topics ?? []).map(
    ({ stream_id, topic_name, visibility_policy }) => [stream_id, topic_name, visibility_policy],
  )
const mutedOf = async (person: Person) =>
  ((await person.on('b').events.register({ fetch_event_types: ['muted_topics'] })).muted_topics ?? []).map(
    ([stream, topic]) => [stream, topic],
  )
const everyone = { owner, iris, otto, gus }
const registrations = [{}, { generation: 27 as const }]
const forget = async () => {
  await world.database.query('delete from muted_topic where organization_id = $1', [world.organization_id])
  await world.database.query('delete from topic_attention where organization_id = $1', [
    world.organization_id,
  ])
}

test('a topic is muted, unmuted and followed in turn, and programs of the generation 27 see only the muting', async () => {
  for (const policy of [3, 1, 2, 3, 3, 1, 0, 0, 2, 0] as const) {
    const { iris: events } = await expectSameState(world, { iris }, () => set(iris, 'Roses', policy), {
      registrations,
    })
    const shown = policy === 0 ? [] : [[garden.stream_id, 'Roses', policy]]
    assert.deepEqual(await attentionOf(iris), shown)
    assert.deepEqual(await mutedOf(iris), policy === Attention.muted ? [['garden', 'Roses']] : [])
    assert.ok(events?.every(({ type }) => type === 'user_topic' || type === 'muted_topics'))
  }
})

test('only queues that know the type, or name it, get the event, and only those of the account', async () => {
  const [later, named, others] = [
    await openQueue(iris),
    await openQueue(iris, { generation: 27, event_types: ['user_topic'] }),
    await openQueue(otto),
  ]
  const old = await openQueue(iris, { generation: 27 })
  await set(iris, 'tulips', 3)
  await set(iris, 'tulips', 3)
  await set(iris, 'TULIPS', 0)

  await world.settled()
  const policies = (events: readonly object[]) =>
    events.map((event) => 'visibility_policy' in event && event.visibility_policy)
  assert.deepEqual(policies(await later.rest()), [3, 0])
  assert.deepEqual(policies(await named.rest()), [3, 0])
  assert.deepEqual(await old.rest(), [])
  assert.deepEqual(await others.rest(), [])
})

test('muting by the older endpoint replaces following, and unmuting does not bring it back', async () => {
  await set(iris, 'weeds', 3)
  await expectSameState(
    world,
    { iris },
    () => iris.subscriptions.muteTopic({ stream: 'garden', topic: 'Weeds', op: 'add' }),
    { registrations },
  )
  assert.deepEqual(await attentionOf(iris), [[garden.stream_id, 'Weeds', 1]])

  await iris.subscriptions.muteTopic({ stream: 'garden', topic: 'weeds', op: 'remove' })
  assert.deepEqual(await attentionOf(iris), [])
  await set(iris, 'weeds', 3)
  await assert.rejects(
    iris.subscriptions.muteTopic({ stream: 'garden', topic: 'weeds', op: 'remove' }),
    refusal('Topic is not muted'),
  )
  assert.deepEqual(await attentionOf(iris), [[garden.stream_id, 'weeds', 3]])
  await forget()
})

test('a node of the release before that mutes a topic ends following it', async () => {
  await set(iris, 'moss', 3)
  await world.database.query(
    `insert into muted_topic (organization_id, user_id, stream_id, topic, folded_topic)
     values ($1, $2, $3, 'moss', 'moss')`,
    [world.organization_id, iris.user_id, garden.stream_id],
  )
  assert.deepEqual(await attentionOf(iris), [[garden.stream_id, 'moss', 1]])
  await forget()
})

test('attention needs access to the stream, but going back to the default does not', async () => {
  await set(otto, 'gold', 3, vault)
  await set(gus, 'roses', 2)
  for (const policy of [1, 2, 3] as const) {
    await assert.rejects(set(iris, 'gold', policy, vault), refusal('Invalid stream id'))
    await assert.rejects(set(gus, 'carp', policy, pond), refusal('Invalid stream id'))
  }
  for (const stream_id of [vault.stream_id, 999_999]) {
    const params = { stream_id: String(stream_id), topic: 'gold', visibility_policy: '0' }
    const { status } = await call(world, iris, 'POST /user_topics', params)
    assert.equal(status, 200)
  }
  await otto.subscriptions.unsubscribe({ subscriptions: ['vault'] })
  await set(otto, 'GOLD', 0, vault)
  assert.deepEqual(await attentionOf(otto), [])
  await owner.subscriptions.subscribe({ subscriptions: [{ name: 'vault' }], principals: [otto.user_id] })
  await forget()
})

test('invalid requests are refused with their errors', async () => {
  const stream_id = String(garden.stream_id)
  for (const [params, refused] of [
    [{ topic: 'x', visibility_policy: '3' }, "Missing 'stream_id' argument"],
    [{ stream_id, visibility_policy: '3' }, "Missing 'topic' argument"],
    [{ stream_id, topic: 'x' }, "Missing 'visibility_policy' argument"],
    [{ stream_id, topic: 'x', visibility_policy: '4' }, 'Invalid visibility_policy'],
    [{ stream_id, topic: 'x', visibility_policy: '-1' }, 'Invalid visibility_policy'],
    [
      { stream_id, topic: '🌹'.repeat(63), visibility_policy: '3' },
      'topic is too long (limit: 62 characters)',
    ],
  ] as const) {
    const { status, body } = await call(world, iris, 'POST /user_topics', params)
    assert.deepEqual([status, body.msg], [400, refused], JSON.stringify(params))
  }
})

test('an account attends to a limited number of topics', async () => {
  await world.database.query(
    `insert into topic_attention (organization_id, user_id, stream_id, topic, folded_topic, policy)
     select $1, $2, $3, 'topic ' || n, 'topic ' || n, 3 from generate_series(1, 5000) n`,
    [world.organization_id, iris.user_id, garden.stream_id],
  )
  await assert.rejects(
    set(iris, 'one more', 2),
    refusal('Too many followed and unmuted topics (limit: 5000)'),
  )
  await set(iris, 'topic 1', 2)
  await set(iris, 'one more', 1)
  await forget()
})

test('archiving a stream, losing it and becoming a guest end the attention to its topics', async () => {
  const lane = await world.stream('lane', { members: [owner, iris] })
  await set(iris, 'lamps', 3, lane)
  await set(otto, 'lamps', 2, lane)
  await expectSameState(
    world,
    everyone,
    () => owner.streams.update({ stream_id: lane.stream_id, is_private: true }),
    { registrations },
  )
  assert.deepEqual(await attentionOf(otto), [])
  assert.equal((await attentionOf(iris)).length, 1)
  await expectSameState(world, everyone, () => owner.streams.archive({ stream_id: lane.stream_id }), {
    registrations,
  })
  assert.deepEqual(await attentionOf(iris), [])

  const rosa = await world.person('rosa')
  await set(rosa, 'carp', 3, pond)
  await expectSameState(world, { rosa }, () => owner.users.update({ user_id: rosa.user_id, role: 600 }), {
    registrations,
  })
  assert.deepEqual(await attentionOf(rosa), [])
})

const send = (topic: string, { name } = garden) => sendToStream(owner, name, topic, 'a note')
const move = (
  message_id: Awaited<ReturnType<typeof send>>,
  to: { topic?: string; stream_id?: number },
  mode = 'change_all',
) =>
  owner.messages.edit({
    message_id,
    propagate_mode: mode as 'change_all',
    send_notification_to_new_thread: false,
    send_notification_to_old_thread: false,
    ...(to as object),
  })

test('attention follows a topic that is renamed whole, and stays if messages are left', async () => {
  const first = await send('beds')
  const second = await send('beds')
  await set(iris, 'beds', 3)
  await set(otto, 'beds', 1)
  await set(gus, 'beds', 2)

  await expectSameState(world, everyone, () => move(second, { topic: 'plots' }, 'change_one'), {
    registrations,
  })
  assert.deepEqual(await attentionOf(iris), [[garden.stream_id, 'beds', 3]])

  await expectSameState(world, everyone, () => move(first, { topic: '✔ beds' }), { registrations })
  for (const [person, policy] of [
    [iris, 3],
    [otto, 1],
    [gus, 2],
  ] as const)
    assert.deepEqual(await attentionOf(person), [[garden.stream_id, '✔ beds', policy]])
  assert.deepEqual(await mutedOf(otto), [['garden', '✔ beds']])
  await forget()
})

test('a topic that is moved into another one passes on following, but not muting', async () => {
  await send('target')
  const moved = await send('source')
  await set(iris, 'source', 3)
  await set(iris, 'target', 1)
  await set(otto, 'source', 1)
  await set(gus, 'source', 1)
  await set(gus, 'target', 1)
  await set(owner, 'target', 2)

  await expectSameState(world, everyone, () => move(moved, { topic: 'target' }), { registrations })

  assert.deepEqual(await attentionOf(iris), [[garden.stream_id, 'target', 3]])
  assert.deepEqual(await attentionOf(otto), [])
  assert.deepEqual(await attentionOf(gus), [[garden.stream_id, 'target', 1]])
  assert.deepEqual(await attentionOf(owner), [[garden.stream_id, 'target', 2]])
  await forget()
})

test('attention to a topic that is moved to another stream is kept by those who may read it there', async () => {
  const moved = await send('carp')
  for (const person of [iris, otto, gus]) await set(person, 'carp', 3)

  await expectSameState(world, everyone, () => move(moved, { stream_id: pond.stream_id }), { registrations })

  assert.deepEqual(await attentionOf(iris), [[pond.stream_id, 'carp', 3]])
  assert.deepEqual(await attentionOf(otto), [[pond.stream_id, 'carp', 3]])
  assert.deepEqual(await attentionOf(gus), [])
  await forget()
})

test('after any sequence of changes by both endpoints and of moves, events and state agree', async () => {
  const dice = new Dice(testSeed)
  const topics = ['one', 'two', 'Three']
  const messages = new Map<string, Awaited<ReturnType<typeof send>>>()
  for (const topic of topics) messages.set(topic, await send(topic))
  for (let round = 0; round < bySize({ gate: 12, long: 150 }); round++) {
    const [person, topic, stream] = [
      dice.pick([iris, otto, gus]),
      dice.pick(topics),
      dice.pick([garden, pond]),
    ]
    const act = async () => {
      if (dice.isLikely(0.25)) return move(dice.pick([...messages.values()]), { topic: dice.pick(topics) })
      if (dice.isLikely(0.3))
        return person.subscriptions.muteTopic({
          stream_id: stream.stream_id,
          topic,
          op: dice.pick(['add', 'remove'] as const),
        })
      return set(person, topic, dice.pick([0, 1, 2, 3] as const), stream)
    }
    await expectSameState(world, { iris, otto, gus }, () => Promise.allSettled([act(), act(), act()]), {
      registrations,
    })
  }
  const both = await world.database.query(
    'select from muted_topic join topic_attention using (organization_id, user_id, stream_id, folded_topic)',
  )
  assert.deepEqual(both, [])
  await forget()
})

const countWaiting = async () =>
  (
    await world.database.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
  ).length

test('a change that waits for a move that is held open applies to the state after it', async () => {
  const moved = await send('held')
  await set(iris, 'held', 3)
  const holder = new pg.Client(connectionOptions(world.database.url))
  await holder.connect()
  try {
    await expectSameState(
      world,
      everyone,
      async () => {
        await holder.query('begin')
        await holder.query('select from user_setting where user_id = $1 for update', [iris.user_id])
        const moving = move(moved, { topic: 'released' })
        await eventually(async () => (await countWaiting()) === 1)
        const muting = iris.on('b').subscriptions.setAttention({
          stream_id: garden.stream_id,
          topic: 'held',
          visibility_policy: 1,
        })
        await eventually(async () => (await countWaiting()) === 2)
        await holder.query('commit')
        await Promise.all([moving, muting])
      },
      { registrations },
    )
  } finally {
    await holder.end()
  }
  const topics = await attentionOf(iris)
  // The change came before the move, which took it along, or after it.
  assert.ok(
    [
      [[garden.stream_id, 'released', 1]],
      [
        [garden.stream_id, 'released', 3],
        [garden.stream_id, 'held', 1],
      ],
    ].some((possible) => JSON.stringify(possible) === JSON.stringify(topics)),
    JSON.stringify(topics),
  )
})
