import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { eventually, type NodeName, openQueue, repeatIfSlowed, startWorld } from '@oxbow/testkit'
import { waitUntilListening } from '@oxbow/testkit/calls/listening'
import pg from 'pg'
import type { Audience } from '../events/record.ts'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'
import { connectionOptions } from '../platform/database/database.ts'
import { makeTestStreams } from './test/test-streams.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const { owner, nodes } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const bot = await world.bot('mower', otto)
const everyone = { owner, iris, otto, gus, bot }

const { newStream, outboxId, subscribe, unsubscribe, archive } = makeTestStreams(world)

const inStream = (name: string, stream: number, audience: Partial<Audience> = {}) =>
  makeNote(name, { to: { stream, ...audience } })

/** More records than a node scans without using its index. */
const unrelatedNotes = Array.from({ length: 40 }, () => makeNote('for nobody', { to: { users: [] } }))

/**
 * Returns the events that each user gets. They are read in three ways that must agree: by a poll
 * that waits on node a during the change, by a queue that is in memory on node a and read
 * afterwards, and by a queue that node b loads afterwards. The first two get subscription periods
 * from effects, the third from the database.
 */
async function collectNotes(change: () => Promise<unknown>): Promise<Record<string, unknown[]>> {
  const opened = await Promise.all(
    Object.entries(everyone).map(async ([name, person]) => {
      const [waiting, known, late] = await Promise.all(
        [0, 1, 2].map(() => openQueue(person, { event_types: ['note'] })),
      )
      assert.ok(waiting && known && late)
      await known.rest()
      return { name, known, late, followed: follow(waiting) }
    }),
  )
  await eventually(() => logOf('a')?.listening.size === opened.length)
  nodes.b.app.events.log.sweep(-1)
  await change()
  await emitEvents(world, ...unrelatedNotes, makeNote('end'))
  await world.settled()
  const got: Record<string, unknown[]> = {}
  for (const { name, known, late, followed } of opened) {
    const names = await followed
    assert.deepEqual(namesOf(await known.rest('a')), names, `${name}, known all along`)
    assert.deepEqual(namesOf(await late.rest('b')), names, `${name}, from the other node`)
    if (names.length > 1) got[name] = names.slice(0, -1)
  }
  return got
}

const logOf = (node: NodeName) => nodes[node].app.events.log.organizations.get(world.organization_id as never)

async function follow(queue: { take(count: number): Promise<object[]> }): Promise<unknown[]> {
  const names: unknown[] = []
  while (names.at(-1) !== 'end') names.push(...namesOf(await queue.take(1)))
  return names
}

const readersOf = async (to: Audience) =>
  Object.keys(await collectNotes(() => emitEvents(world, makeNote('it', { to }))))

test('a stream event reaches the accounts subscribed when it was written', async () => {
  const garden = newStream()
  await subscribe([iris, bot], garden)

  const got = await collectNotes(async () => {
    await emitEvents(world, inStream('one', garden), inStream('elsewhere', newStream()))
    await subscribe([otto], garden)
    await unsubscribe([iris], garden)
    await emitEvents(world, inStream('two', garden), inStream('people', garden, { peopleOnly: true }))
    await subscribe([iris], garden)
    await emitEvents(world, inStream('three', garden, { except: [otto.user_id] }))
  })

  assert.deepEqual(got, {
    iris: ['one', 'three'],
    otto: ['two', 'people'],
    bot: ['one', 'two', 'three'],
  })
})

test('a waiting poll gets events of a stream that the user joins meanwhile', async () => {
  const garden = newStream()
  const queue = await openQueue(gus, { event_types: ['note'] })
  const poll = queue.poll()
  await subscribe([gus], garden)

  await emitEvents(world, inStream('welcome', garden))

  assert.deepEqual(namesOf(await poll), ['welcome'])
})

test('subscribers before a change get the event about the change', async () => {
  const garden = newStream()
  await subscribe([iris], garden)

  const got = await collectNotes(async () => {
    const at = await unsubscribe([iris], garden)
    await emitEvents(world, inStream('you were in', garden, { asOf: at - 1 }), inStream('nobody', garden))
  })

  assert.deepEqual(got, { iris: ['you were in'] })
})

test('an audience with former includes all earlier subscribers, but nobody who joined after the event', async () => {
  const garden = newStream()
  await subscribe([iris, gus], garden)
  await unsubscribe([iris], garden)
  const former = (name: string, audience: Partial<Audience> = {}) =>
    inStream(name, garden, { former: true, ...audience })

  const got = await collectNotes(async () => {
    await emitEvents(world, former('one'), inStream('not for former ones', garden))
    const before = (await subscribe([otto], garden)) - 1
    await unsubscribe([otto, gus], garden)
    await emitEvents(world, former('two'), former('as it was', { asOf: before }), inStream('nobody', garden))
    await subscribe([bot], garden)
    await emitEvents(world, former('people', { peopleOnly: true }), former('but', { except: [gus.user_id] }))
  })

  assert.deepEqual(got, {
    iris: ['one', 'two', 'as it was', 'people', 'but'],
    otto: ['two', 'people', 'but'],
    gus: ['one', 'not for former ones', 'two', 'as it was', 'people'],
    bot: ['but'],
  })
})

test('an audience with unless excludes subscribers of a stream, with former also earlier ones, but no accounts in users', async () => {
  const [garden, kitchen] = [newStream(), newStream()]
  await subscribe([iris, otto, gus], garden)
  await unsubscribe([otto], garden)
  await subscribe([iris, otto, bot], kitchen)
  const [members, unless] = [[Role.member], { stream: garden }]
  const unlessEver = { stream: garden, former: true } as const

  assert.deepEqual(await readersOf({ roles: 'everyone', unless }), ['owner', 'otto', 'bot'])
  assert.deepEqual(await readersOf({ roles: 'everyone', unless: unlessEver }), ['owner', 'bot'])
  assert.deepEqual(await readersOf({ roles: members, unless, peopleOnly: true }), ['otto'])
  assert.deepEqual(await readersOf({ stream: kitchen, unless }), ['otto', 'bot'])
  assert.deepEqual(await readersOf({ stream: kitchen, unless: unlessEver }), ['bot'])
  assert.deepEqual(await readersOf({ stream: garden, former: true, unless }), ['otto'])
  assert.deepEqual(
    await readersOf({ roles: members, users: [iris.user_id, gus.user_id], unless: unlessEver }),
    ['iris', 'gus', 'bot'],
  )
  const except = [iris.user_id, owner.user_id]
  assert.deepEqual(await readersOf({ roles: 'everyone', users: [iris.user_id], unless, except }), [
    'otto',
    'bot',
  ])
})

test('the filter unless of an audience is evaluated at the time the event was written, or at asOf if given', async () => {
  const garden = newStream()
  const unless = { stream: garden }
  const unlessEver = { stream: garden, former: true } as const
  const toMembers = (name: string, audience: Partial<Audience>) =>
    makeNote(name, { to: { roles: [Role.member], peopleOnly: true, ...audience } })

  const got = await collectNotes(async () => {
    await emitEvents(world, toMembers('before', { unless: unlessEver }))
    const at = await subscribe([iris], garden)
    await emitEvents(
      world,
      toMembers('while in', { unless }),
      toMembers('while in, as of before', { unless, asOf: at - 1 }),
      toMembers('ever, as of before', { unless: unlessEver, asOf: at - 1 }),
    )
    await unsubscribe([iris], garden)
    await emitEvents(world, toMembers('after', { unless }), toMembers('ever', { unless: unlessEver }))
  })

  const asOfBefore = ['while in, as of before', 'ever, as of before']
  assert.deepEqual(got, {
    iris: ['before', ...asOfBefore, 'after'],
    otto: ['before', 'while in', ...asOfBefore, 'after', 'ever'],
  })
})

test('the `received` filter of an audience excludes accounts that were not subscribed at that id', async () => {
  const [garden, kitchen] = [newStream(), newStream()]
  await subscribe([iris, bot], garden)
  await subscribe([gus], garden)
  await unsubscribe([gus], garden)
  const at = await outboxId()
  await subscribe([gus], garden)
  const edited = (name: string, audience: Partial<Audience> = {}) =>
    inStream(name, garden, { received: { stream: garden, at }, ...audience })

  const got = await collectNotes(async () => {
    await subscribe([otto], garden)
    await emitEvents(
      world,
      edited('one'),
      inStream('for all', garden),
      edited('named', { users: [gus.user_id] }),
    )
    await unsubscribe([iris], garden)
    await emitEvents(world, edited('two'), edited('as of before', { asOf: at }))
    await subscribe([iris], garden)
    await subscribe([iris, otto], kitchen)
    await emitEvents(world, edited('three'), edited('moved', { stream: kitchen }))
  })

  assert.deepEqual(got, {
    iris: ['one', 'for all', 'named', 'as of before', 'three', 'moved'],
    otto: ['for all'],
    gus: ['for all', 'named'],
    bot: ['one', 'for all', 'named', 'two', 'as of before', 'three'],
  })
})

test('a queue that moves between nodes gets only events about messages that its owner received', async () => {
  const garden = newStream()
  await subscribe([iris], garden)
  const early = await outboxId()
  await subscribe([otto], garden)
  const [first, second] = await Promise.all(
    [iris, otto].map((person) => openQueue(person, { event_types: ['note'] })),
  )
  assert.ok(first && second)
  const names: unknown[][] = [[], []]

  for (const [round, node] of (['a', 'b', 'a', 'b'] as const).entries()) {
    const late = await outboxId()
    await emitEvents(
      world,
      inStream(`early ${round}`, garden, { received: { stream: garden, at: early } }),
      inStream(`late ${round}`, garden, { received: { stream: garden, at: late } }),
    )
    await world.settled()
    for (const [index, queue] of [first, second].entries())
      names[index]?.push(...namesOf(await queue.rest(node)))
    // Removes the queues from the memory of the other node.
    nodes[node === 'a' ? 'b' : 'a'].app.events.log.sweep(-1)
  }

  const rounds = [0, 1, 2, 3]
  assert.deepEqual(names, [
    rounds.flatMap((round) => [`early ${round}`, `late ${round}`]),
    rounds.map((round) => `late ${round}`),
  ])
})

test('archiving a stream ends all its subscriptions, and later subscribers get its events again', async () => {
  const [garden, kitchen] = [newStream(), newStream()]
  await subscribe([iris, otto, bot], garden)
  await unsubscribe([bot], garden)
  await subscribe([iris], kitchen)

  const got = await collectNotes(async () => {
    await subscribe([gus], garden)
    await emitEvents(world, inStream('still there', garden))
    const at = await archive(garden)
    await emitEvents(
      world,
      inStream('to nobody', garden),
      inStream('to those who were there', garden, { asOf: at - 1 }),
      inStream('to all who ever were', garden, { former: true }),
      inStream('elsewhere', kitchen),
    )
    await subscribe([otto], garden)
    await emitEvents(world, inStream('to those who came back', garden))
  })

  const forSubscribers = ['still there', 'to those who were there', 'to all who ever were']
  assert.deepEqual(got, {
    iris: [...forSubscribers, 'elsewhere'],
    otto: [...forSubscribers, 'to those who came back'],
    gus: forSubscribers,
    bot: ['to all who ever were'],
  })
})

test(
  'subscription changes during the load of an account are applied',
  {
    timeout: 120_000,
  },
  () =>
    // Statements of node b wait at most 15 seconds for the lock.
    repeatIfSlowed(world.database, 2_000, async (attempt) => {
      const [archived, left, joined] = [newStream(), newStream(), newStream()]
      const [lena, max] = await world.people(`lena${attempt}`, `max${attempt}`)
      await subscribe([lena, max], archived)
      await subscribe([lena], left)
      const queues = await Promise.all(
        [lena, max].map((person) => openQueue(person, { event_types: ['note'] })),
      )
      await world.settled()
      await using client = await connect()
      await client.query('begin; lock table subscription_period')
      const polls = queues.map((queue) => queue.poll({}, 'b'))
      for (const poll of polls) poll.catch(() => {})
      await eventually(async () => {
        const waiting = await world.database.query(
          `select from pg_locks where not granted and relation = 'subscription_period'::regclass
           and database = (select oid from pg_database where datname = current_database())`,
        )
        return waiting.length > 0 && [lena, max].every(({ user_id }) => logOf('b')?.accounts.has(user_id))
      })

      // The snapshot of the load will not include these changes.
      const at = await outboxId()
      const users = [lena.user_id, 1_000_000 as never]
      await emitEvents(world, {
        effects: [
          { kind: 'archive', stream: archived, at },
          { kind: 'subscriptions', users, stream: left, subscribed: false, at },
          { kind: 'subscriptions', users, stream: joined, subscribed: true, at },
        ],
      })
      await emitEvents(
        world,
        inStream('archived', archived),
        inStream('left', left),
        inStream('joined', joined),
        inStream('was in', archived, { former: true }),
      )
      await world.settled()
      await client.query('commit')

      assert.deepEqual((await Promise.all(polls)).map(namesOf), [['joined', 'was in'], ['was in']])
      // From here on, the node finds the accounts by the index of their streams.
      for (const queue of queues) await queue.rest('b')
      const next = queues.map((queue) => queue.poll({}, 'b'))
      for (const { queue_id } of queues) await waitUntilListening(world, queue_id, 'b')
      await emitEvents(world, inStream('archived', archived), inStream('still in', joined), makeNote('end'))
      assert.deepEqual((await Promise.all(next)).map(namesOf), [['still in', 'end'], ['end']])
    }),
)

async function connect(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(connectionOptions(world.database.url))
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
