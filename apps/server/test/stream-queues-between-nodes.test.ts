import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, isAdministrator, type OrganizationId, Role, type StreamId } from '@oxbow/contract'
import { type NodeName, openQueue, type Person, startWorld } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { sql } from 'kysely'
import { emit } from '../src/events/emit.ts'
import { type Audience, type Batch, unpackBatch } from '../src/events/record.ts'
import { emitEvents, makeNote, namesOf } from '../src/events/test/emit-events.ts'
import type { Tx } from '../src/platform/database/database.ts'
import { lockRoles, lockStreamsShared } from '../src/platform/database/locks.ts'
import { inTransaction } from '../src/platform/database/transaction.ts'
import { pickRandom } from './pick-random.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const { owner, nodes } = world
const organization_id = world.organization_id as OrganizationId

/** A user's relation to the stream when a record is written. */
interface Relation {
  role: Role
  isIn: boolean
  wasEverIn: boolean
}

/**
 * Kinds of records about a stream, like those of messages and stream events, and the users who
 * should get them.
 */
const forms: Record<string, { to: (stream: StreamId) => Audience; isFor: (someone: Relation) => boolean }> = {
  inside: { to: (stream) => ({ stream }), isFor: ({ isIn }) => isIn },
  ever: { to: (stream) => ({ stream, former: true }), isFor: ({ wasEverIn }) => wasEverIn },
  outside: {
    to: (stream) => ({ roles: [Role.member], unless: { stream } }),
    isFor: ({ role, isIn }) => role === Role.member && !isIn,
  },
  neverInside: {
    to: (stream) => ({ roles: [Role.member, Role.guest], unless: { stream, former: true } }),
    isFor: ({ role, wasEverIn }) => !isAdministrator(role) && !wasEverIn,
  },
  allWhoSee: {
    to: (stream) => ({ roles: [Role.owner, Role.administrator], stream, former: true }),
    isFor: ({ role, wasEverIn }) => isAdministrator(role) || wasEverIn,
  },
}

const otherNode = (node: NodeName): NodeName => (node === 'a' ? 'b' : 'a')

test('a queue that changes the node at every poll gets each record whose audience included its user when it was written, once and in order', async () => {
  const [iris, otto] = await world.people('iris', 'otto')
  const gus = await world.person('gus', 'guest')
  const people = { owner, iris, otto, gus, robin: await world.bot('robin', otto) }
  type Name = keyof typeof people
  const roles: Record<Name, Role> = {
    owner: Role.owner,
    iris: Role.member,
    otto: Role.member,
    gus: Role.guest,
    robin: Role.member,
  }
  const streams = {
    garden: await world.stream('garden', { by: otto, members: [otto, people.robin] }),
    cellar: await world.stream('cellar', { by: otto, members: [otto, gus], invite_only: true }),
  }
  type StreamName = keyof typeof streams
  const inside: Record<StreamName, Set<Name>> = {
    garden: new Set(['otto', 'robin']),
    cellar: new Set(['otto', 'gus']),
  }
  const ever: Record<StreamName, Set<Name>> = {
    garden: new Set(inside.garden),
    cellar: new Set(inside.cellar),
  }

  const join = async (by: Person, streamName: StreamName, ...names: Name[]) => {
    const principals = names.map((name) => people[name].user_id)
    await by.subscriptions.subscribe({ subscriptions: [{ name: streamName }], principals })
    for (const name of names) for (const set of [inside[streamName], ever[streamName]]) set.add(name)
  }
  const leave = async (by: Person, streamName: StreamName, ...names: Name[]) => {
    const principals = names.map((name) => people[name].user_id)
    await by.subscriptions.unsubscribe({ subscriptions: [streamName], principals })
    for (const name of names) inside[streamName].delete(name)
  }
  const changeRole = async (name: Name, role: Role) => {
    await owner.users.update({ user_id: people[name].user_id, role })
    roles[name] = role
  }
  const { garden } = streams
  const changes: (() => Promise<unknown>)[] = [
    async () => {},
    () => join(iris, 'garden', 'iris'),
    () => leave(otto, 'garden', 'otto'),
    () => changeRole('iris', Role.administrator),
    async () => {
      await iris.on('b').streams.update({ stream_id: garden.stream_id, is_private: true })
      // The stream is private now, and the bot leaves it because its owner has left.
      inside.garden.delete('robin')
    },
    () => join(iris, 'garden', 'gus'),
    () => changeRole('iris', Role.guest),
    () => leave(iris, 'garden', 'iris'),
    () => leave(gus, 'cellar', 'gus'),
    () => changeRole('iris', Role.member),
    () => join(otto, 'cellar', 'iris', 'robin'),
    () => changeRole('gus', Role.member),
    async () => {
      await owner.streams.archive({ stream_id: garden.stream_id })
      inside.garden.clear()
    },
    // The stream is deleted, because it has no subscribers left.
    () => leave(owner, 'cellar', 'iris', 'robin', 'otto'),
    // Creates a new stream with the same name.
    () => otto.subscriptions.subscribe({ subscriptions: [{ name: 'garden' }] }),
    () => changeRole('iris', Role.administrator),
  ]

  /** Some queues are read after every change, others after some changes or only at the end. */
  const queues = await Promise.all(
    Object.entries(people).map(async ([name, person]) => {
      const open = (node: NodeName) => openQueue(person, { event_types: ['note'] }, node)
      const [always, sometimes, late] = await Promise.all([open('a'), open('b'), open('a')])
      return {
        name: name as Name,
        always,
        sometimes,
        late,
        got: [] as unknown[],
        gotSometimes: [] as unknown[],
      }
    }),
  )
  const expected: Record<string, string[]> = Object.fromEntries(Object.keys(people).map((name) => [name, []]))
  let node: NodeName = 'a'
  for (const [index, change] of changes.entries()) {
    await change()
    const notes = Object.keys(forms).flatMap((form) =>
      (['garden', 'cellar'] as const).map((streamName) => ({
        form,
        streamName,
        name: `${index} ${form} ${streamName}`,
      })),
    )
    await emitEvents(
      world,
      ...notes.map(({ form, streamName, name }) =>
        makeNote(name, { to: forms[form]?.to(streams[streamName].stream_id) ?? {} }),
      ),
    )
    for (const { form, streamName, name: noted } of notes)
      for (const name of Object.keys(people) as Name[]) {
        const relation = {
          role: roles[name],
          isIn: inside[streamName].has(name),
          wasEverIn: ever[streamName].has(name),
        }
        if (forms[form]?.isFor(relation)) expected[name]?.push(noted)
      }
    await world.settled()
    node = otherNode(node)
    for (const { name, always, sometimes, got, gotSometimes } of queues) {
      got.push(...namesOf(await always.rest(node)))
      assert.deepEqual(got, expected[name], `${name}, at ${node} after change ${index}`)
      if (index % 3 === 2) gotSometimes.push(...namesOf(await sometimes.rest(node)))
    }
  }
  for (const { name, sometimes, late, gotSometimes } of queues) {
    gotSometimes.push(...namesOf(await sometimes.rest(node)))
    assert.deepEqual(gotSometimes, expected[name], `${name}, who polled sometimes`)
    assert.deepEqual(namesOf(await late.rest('b')), expected[name], `${name}, who polled late`)
  }
})

const writers = 6
const minWritten = bySize({ gate: 20, long: 400 })
const minChanges = bySize({ gate: 30, long: 600 })

test('stream records reach exactly the users who were subscribed when they were written, while users join and leave', async (t) => {
  const members = await world.people('ann', 'bob', 'cyd')
  const guest = await world.person('dan', 'guest')
  const everyone = [...members, guest, await world.bot('eve', members[0])]
  const streams = [
    await world.stream('north', { members: [owner, ...members] }),
    await world.stream('south', { members: [owner, guest], invite_only: true }),
  ]
  const queues = await Promise.all(
    everyone.map(async (person) => {
      const [moving, late] = await Promise.all([0, 1].map(() => openQueue(person, { event_types: ['note'] })))
      assert.ok(moving && late)
      return { user_id: person.user_id, late, followed: follow(moving) }
    }),
  )
  /** Recipients of each record by its name, as seen by the record's transaction. */
  const written = new Map<string, { stream: StreamId; form: string; users: number[] }>()
  let isWriting = true
  let changes = 0

  const write = async (writer: number) => {
    for (let count = 0; count < minWritten || changes < minChanges; count++) {
      const name = `${writer}.${count}`
      const { stream_id } = pickRandom(streams)
      const form = pickRandom(Object.keys(forms))
      const { to, isFor } = forms[form] as (typeof forms)[string]
      const isGivenUp = randomInt(8) === 0
      const { app } = nodes[pickNode()]
      const users = await inTransaction(app.db, async (tx) => {
        await lockRoles(tx, organization_id, 'shared')
        await lockStreamsShared(tx, [stream_id])
        emit(tx, { organization_id, ...makeNote(name, { to: to(stream_id) }) })
        const relations = await readRelations(tx, stream_id)
        if (randomInt(3) === 0) await sleep(randomInt(40))
        if (isGivenUp) throw new ApiError('NOTHING_TO_CHANGE')
        return relations.filter(isFor).map(({ user_id }) => user_id)
      }).catch((error) => {
        if (!isGivenUp) throw error
      })
      if (users) written.set(name, { stream: stream_id, form, users })
    }
  }
  const changeMembers = async () => {
    while (isWriting) {
      const on = owner.on(pickNode())
      const names = streams.map(({ name }) => name).slice(randomInt(2))
      const principals = everyone.filter(() => randomInt(2)).map(({ user_id }) => user_id)
      if (principals.length === 0) continue
      if (randomInt(2)) {
        const subscriptions = names.map((name) => ({ name }))
        const { subscribed } = await on.subscriptions.subscribe({ subscriptions, principals })
        changes += Object.keys(subscribed).length
      } else
        changes += (await on.subscriptions.unsubscribe({ subscriptions: names, principals })).removed.length
    }
  }
  const changeRoles = async () => {
    while (isWriting) {
      const { user_id } = pickRandom(members)
      await owner.on(pickNode()).users.update({ user_id, role: pickRandom([Role.member, Role.guest]) })
      await sleep(20)
    }
  }
  const changing = [changeMembers(), changeMembers(), changeRoles()]
  await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  isWriting = false
  await Promise.all(changing)
  await emitEvents(world, makeNote('end'))
  await world.settled()

  const periods = await readPeriods()
  const log = (await readLog()).filter(({ name }) => written.has(name))
  assert.equal(log.length, written.size)
  let delivered = 0
  for (const { user_id, late, followed } of queues) {
    const isFor = ({ name }: { name: string }) => written.get(name)?.users.includes(user_id)
    const expected = [...log.filter(isFor).map(({ name }) => name), 'end']
    const got = await followed
    assert.deepEqual(got, expected, `${user_id}, moving`)
    assert.deepEqual(namesOf(await late.rest('b')), expected, `${user_id}, late`)
    delivered += got.length - 1
  }
  // The subscription periods at each record must match what the record's transaction saw.
  for (const { name, outboxId } of log) {
    const { form, stream, users } = written.get(name) ?? assert.fail()
    if (form !== 'inside') continue
    const then = periods.filter(
      (period) => period.stream_id === stream && period.from <= outboxId && outboxId < period.to,
    )
    const expectedUsers = then.map(({ user_id }) => user_id).filter((id) => id !== owner.user_id)
    assert.deepEqual(expectedUsers, users, name)
  }
  t.diagnostic(JSON.stringify({ records: log.length, delivered, changes }))

  async function readRelations(tx: Tx, stream: StreamId): Promise<(Relation & { user_id: number })[]> {
    const { rows } = await sql<Relation & { user_id: number }>`
      select u.id as user_id, u.role, coalesce(s.is_active, false) as "isIn", s.user_id is not null as "wasEverIn"
      from user_account u left join subscription s
        on s.organization_id = u.organization_id and s.user_id = u.id and s.stream_id = ${stream}
      where u.id = any(${everyone.map(({ user_id }) => user_id)}::bigint[])
      order by u.id`.execute(tx)
    return rows
  }
})

const pickNode = (): NodeName => pickRandom(['a', 'b'])

/** Polls both nodes in turn until the last record. */
async function follow(queue: Awaited<ReturnType<typeof openQueue>>): Promise<unknown[]> {
  const names: unknown[] = []
  let node: NodeName = 'a'
  while (names.at(-1) !== 'end') {
    node = otherNode(node)
    names.push(...namesOf(await queue.take(1, node)))
  }
  return names
}

async function readPeriods() {
  return world.database.query<{ user_id: number; stream_id: number; from: number; to: number }>(
    `select user_id::int, stream_id::int, from_outbox_id::int as from, coalesce(to_outbox_id, 2000000000)::int as to
     from subscription_period order by user_id`,
  )
}

/** Returns the notes in the log, in order. */
async function readLog(): Promise<{ name: string; outboxId: number }[]> {
  const batches = await world.database.query<Batch & { first_seq: number }>(
    'select organization_id, first_seq::int, last_seq::int, records from event_batch order by last_seq',
  )
  return batches.flatMap(unpackBatch).flatMap(({ event, outboxId }) => {
    const { type, name } = JSON.parse(event ?? '{}')
    return type === 'note' ? [{ name, outboxId }] : []
  })
}
