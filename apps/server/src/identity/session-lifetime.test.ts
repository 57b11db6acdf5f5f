import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, signIn, startWorld } from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from '../platform/database/database.ts'
import { deleteExpiredSessionsJob } from './delete-expired-sessions.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())

interface Lifetime {
  /** Seconds since the last recorded use. */
  secondsUnused: number
  /** Hours until the session expires. */
  hoursLeft: number
}

const readLifetime = async (user_id: number): Promise<Lifetime> => {
  const [row] = await world.database.query<Lifetime>(
    `select round(extract(epoch from now() - last_seen_at))::int as "secondsUnused",
       round(extract(epoch from expires_at - now()) / 3600)::int as "hoursLeft"
     from session where user_id = $1`,
    [user_id],
  )
  assert.ok(row)
  return row
}

/** Moves all times of a session into the past. */
const age = (user_id: number, interval: string) =>
  world.database.query(
    `update session set created_at = created_at - $2::interval, last_seen_at = last_seen_at - $2::interval,
       expires_at = expires_at - $2::interval where user_id = $1`,
    [user_id, interval],
  )

const signedOut = { status: 401, message: /^Not logged in/ }

test('a session of a device that is not trusted ends 24 hours after signing in', async () => {
  const person = await world.person('visitor')
  const before = performance.now()
  const session = await signIn(world, person)
  const { secondsUnused, hoursLeft } = await readLifetime(person.user_id)
  const maxSecondsUnused = Math.ceil((performance.now() - before) / 1_000)
  assert.ok(secondsUnused >= 0 && secondsUnused <= maxSecondsUnused, `${secondsUnused} s unused`)
  assert.equal(hoursLeft, 24)

  await age(person.user_id, '23 hours')
  await session.users.me()
  await eventually(async () => (await readLifetime(person.user_id)).secondsUnused < 60)
  assert.equal((await readLifetime(person.user_id)).hoursLeft, 1)
  await age(person.user_id, '61 minutes')

  for (const node of ['a', 'b'] as const) await assert.rejects(session.on(node).users.me(), signedOut)
})

test('a session of a trusted device ends 30 days after its last use', async () => {
  const person = await world.person('regular')
  const session = await signIn(world, person, { is_trusted: true })
  assert.equal((await readLifetime(person.user_id)).hoursLeft, 30 * 24)

  await age(person.user_id, '29 days')
  await session.users.me()
  await eventually(async () => (await readLifetime(person.user_id)).hoursLeft === 30 * 24)
  await age(person.user_id, '30 days 1 minute')

  await assert.rejects(session.users.me(), signedOut)
})

test('a session of a trusted device ends a year after signing in, even if it is used constantly', async () => {
  const person = await world.person('loyal')
  const session = await signIn(world, person, { is_trusted: true })
  await world.database.query(
    `update session set created_at = now() - interval '364 days', last_seen_at = now() - interval '1 day'
     where user_id = $1`,
    [person.user_id],
  )

  await session.users.me()

  await eventually(async () => (await readLifetime(person.user_id)).hoursLeft === 24)
})

test('the last use of a session and its network address are written at most every ten minutes', async () => {
  const person = await world.person('steady')
  const session = await signIn(world, person)
  await age(person.user_id, '9 minutes')
  await session.users.me()
  await session.on('b').users.me()
  await world.database.query(`update session set address = 'before' where user_id = $1`, [person.user_id])
  assert.equal((await readLifetime(person.user_id)).secondsUnused >= 9 * 60, true)

  await age(person.user_id, '2 minutes')
  await session.users.me()

  await eventually(async () => (await readLifetime(person.user_id)).secondsUnused < 60)
  const [row] = await world.database.query('select address from session where user_id = $1', [person.user_id])
  assert.deepEqual(row, { address: '127.0.0.1' })
})

test('the job deletes expired sessions and no others', async () => {
  const [gone, kept] = await world.people('expired', 'kept')
  for (const person of [gone, kept]) await signIn(world, person)
  await age(gone.user_id, '25 hours')

  await deleteExpiredSessionsJob.run(world.nodes.a.app, {})

  const remaining = await world.database.query(
    'select user_id::int from session where user_id = any($1::bigint[])',
    [[gone.user_id, kept.user_id]],
  )
  assert.deepEqual(remaining, [{ user_id: kept.user_id }])
})

test('signing in with the old password fails if a new one is set before the session starts', async () => {
  const { user_id, ...person } = await world.person('hasty')
  const other = new pg.Client(connectionOptions(world.database.url))
  await other.connect()
  await other.query('begin')
  await other.query('select from user_account where id = $1 for no key update', [user_id])

  const outcome = signIn(world, person).catch((error: unknown) => error)
  await eventually(async () => {
    const waiting = await world.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length > 0
  })
  await other.query(`update user_account set password_hash = 'another' where id = $1`, [user_id])
  await other.query('commit')
  await other.end()

  assert.match(String(await outcome), /Your username or password is incorrect/)
  assert.deepEqual(await world.database.query('select from session where user_id = $1', [user_id]), [])
})
