import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type BrowserSession, eventually, type Person, signIn, startWorld } from '@oxbow/testkit'
import { awaitWithinASecond, listenEverywhere, repeatIfLate } from '@oxbow/testkit/calls/listening'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import pg from 'pg'
import { deleteExpiredSessionsJob } from '../../identity/delete-expired-sessions.ts'
import { createResetLinkByOperator } from '../../operators/password-reset.ts'
import { setPasswordByOperator } from '../../operators/users.ts'
import { connectionOptions } from '../../platform/database/database.ts'
import { lockKey } from '../../platform/database/locks.ts'
import { resetPassword } from '../password-reset/reset-password.ts'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner, nodes } = world

const signedOut = {
  status: 401,
  code: 'INVALID_API_KEY',
  msg: 'Not logged in: API authentication or user session required',
}
const deactivated = { status: 401, code: 'USER_DEACTIVATED', msg: 'Account is deactivated' }

const passwords = (person: Person) => ({ old_password: person.password, new_password: 'plum tree 52 garden' })

/** Ways to end a session, each with the error that waiting polls and event streams get. */
const ways: [
  how: string,
  end: (session: BrowserSession, person: Person) => Promise<unknown>,
  error: object,
][] = [
  ['signing out', ({ sessions }) => sessions.endCurrent(), signedOut],
  [
    'signing out everywhere else',
    async (_, person) => (await signIn(world, person)).sessions.endOthers(),
    signedOut,
  ],
  ['a new password', (_, person) => person.users.updateSettings(passwords(person)), signedOut],
  [
    'a password set by the operator',
    (_, { email }) =>
      setPasswordByOperator(nodes.a.app, { subdomain: '', email, password: 'plum tree 53 garden' }),
    signedOut,
  ],
  [
    'a password set by a link',
    async (_, { email }) => {
      const { link } = await createResetLinkByOperator(nodes.a.app, { subdomain: '', email, origin: '' })
      const key = link.slice(link.lastIndexOf('/') + 1)
      const params = { password: 'plum tree 54 garden', language: 'en' } as const
      assert.equal(await resetPassword(nodes.a.app, { key, subdomain: '' }, params), 'done')
    },
    signedOut,
  ],
  ['an administrator', (_, { user_id }) => owner.sessions.endOfUser({ user_id }), signedOut],
  ['deactivation', (_, { user_id }) => owner.users.deactivate({ user_id }), deactivated],
  [
    'expiry',
    async (_, { user_id }) => {
      await world.database.query('update session set expires_at = now() where user_id = $1', [user_id])
      await deleteExpiredSessionsJob.run(nodes.a.app, {})
    },
    signedOut,
  ],
]

for (const [how, end, error] of ways)
  test(`${how} ends polls and streams of the session on both nodes within a second`, () =>
    repeatIfLate(async (attempt) => {
      const person = await world.person(`${how.replaceAll(' ', '')}${attempt}`)
      const session = await signIn(world, person)
      const endings = await listenEverywhere(world, session)

      await end(session, person)

      assert.deepEqual(await awaitWithinASecond(world, endings), Array(4).fill(error))
    }))

test('polls with the API key or with another session continue when a session ends', () =>
  repeatIfLate(async (attempt) => {
    const person = await world.person(`several${attempt}`)
    const [ending, staying] = [await signIn(world, person), await signIn(world, person)]
    const endings = await listenEverywhere(world, ending)
    const others = [...(await listenEverywhere(world, staying)), ...(await listenEverywhere(world, person))]
    let hasEnded = false
    for (const other of others) other.then(() => (hasEnded = true))

    await ending.sessions.endCurrent()

    try {
      await awaitWithinASecond(world, endings)
      await world.settled()
      assert.equal(hasEnded, false)
    } finally {
      await owner.users.deactivate({ user_id: person.user_id })
      await Promise.all(others)
    }
  }))

test('a message is not sent if its session ends while the statement waits for a lock', async () => {
  const person = await world.person('sender')
  const garden = await world.stream('garden', { members: [person] })
  const session = await signIn(world, person)
  const first = await sendToStream(session, garden, 'roses')
  const other = new pg.Client(connectionOptions(world.database.url))
  await other.connect()
  await other.query('begin')
  await other.query('select pg_advisory_xact_lock($1)', [lockKey('organizationRoles', world.organization_id)])

  const outcome = sendToStream(session, garden, 'roses').catch((error: unknown) => error)
  await eventually(async () => {
    const waiting = await world.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length > 0
  })
  await other.query('delete from session where user_id = $1', [person.user_id])
  await other.query('commit')
  await other.end()

  assert.equal(((await outcome) as { message: string }).message, signedOut.msg)
  const [newest] = await world.database.query(
    'select max(id)::int as id from message where organization_id = $1',
    [world.organization_id],
  )
  assert.deepEqual(newest, { id: first })
})

test('sends with a session and with the API key of one account share their cached preconditions', async () => {
  const person = await world.person('both')
  const garden = await world.stream('pond', { members: [person] })
  const session = await signIn(world, person)

  for (const client of [session, person, session.on('b'), person.on('b')])
    assert.ok((await sendToStream(client, garden, 'roses')) > 0)
})
