import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  type BrowserSession,
  eventually,
  type Person,
  type RawResponse,
  request,
  signIn,
  startWorld,
} from '@oxbow/testkit'
import pg from 'pg'
import { connectionOptions } from '../platform/database/database.ts'
import { lockKey } from '../platform/database/locks.ts'

const world = await startWorld()
const other = new pg.Client(connectionOptions(world.database.url))
await other.connect()
after(async () => {
  await other.end()
  await world[Symbol.asyncDispose]()
})
const target = await world.person('target')
const { id: field } = await world.owner.profileFields.create({ field_type: 1, name: 'Bed' })

/** Locks that a write waits for. */
const locks = {
  'the row of the user': `select from user_account where id = ${target.user_id} for no key update`,
  'the row of the organization': 'select from organization for no key update',
  'the roles of the organization': `select pg_advisory_xact_lock(${lockKey('organizationRoles', world.organization_id)})`,
  'the own row': "select from user_account where full_name like 'Actor%' for no key update",
}

const { user_id } = target
const writes: [name: string, lock: keyof typeof locks, write: (actor: Person) => Promise<unknown>][] = [
  ['renaming', 'the row of the user', ({ users }) => users.update({ user_id, full_name: 'Renamed' })],
  ['changing a role', 'the roles of the organization', ({ users }) => users.update({ user_id, role: 600 })],
  [
    'changing a profile',
    'the row of the user',
    ({ users }) => users.update({ user_id, profile_data: [{ id: field, value: 'tulips' }] }),
  ],
  ['deactivating', 'the roles of the organization', ({ users }) => users.deactivate({ user_id })],
  ['reactivating', 'the roles of the organization', ({ users }) => users.reactivate({ user_id })],
  [
    'creating an account',
    'the roles of the organization',
    ({ users }) =>
      users.create({ email: 'x@garden.example', password: 'plum tree 51 garden', full_name: 'New' }),
  ],
  [
    'creating a field',
    'the row of the organization',
    ({ profileFields }) => profileFields.create({ field_type: 1, name: 'Tools' }),
  ],
  [
    'changing a field',
    'the row of the organization',
    ({ profileFields }) => profileFields.update({ field_id: field, name: 'Border' }),
  ],
  [
    'removing a field',
    'the row of the organization',
    ({ profileFields }) => profileFields.remove({ field_id: field }),
  ],
  [
    'ordering fields',
    'the row of the organization',
    ({ profileFields }) => profileFields.reorder({ order: [field] }),
  ],
]

const changes = {
  'lost the role': {
    change: 'update user_account set role = 600 where id = $1',
    refused: { status: 400, message: /^(Must be an organization administrator|Insufficient permission)$/ },
  },
  'was deactivated': {
    change: 'update user_account set is_active = false where id = $1',
    refused: { status: 401, message: /^Account is deactivated$/ },
  },
  'got another key': {
    change: 'update user_account set api_key_hash = sha256(full_name::bytea) where id = $1',
    refused: { status: 401, message: /^Invalid API key$/ },
  },
}

const isWaiting = async () => {
  const waiting = await world.database.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return waiting.length > 0
}

/** Returns the contents of all tables that the writes above could have changed. */
const contents = async () => {
  const tables = ['user_account', 'role_period', 'profile_field', 'profile_value']
  return Promise.all(tables.map((table) => world.database.query(`select * from ${table} order by 1, 2, 3`)))
}

/** Starts a write that waits for a lock, changes the actor while it waits, and releases the lock. */
async function changeDuring(
  actor: Pick<Person, 'user_id'>,
  lock: string,
  change: string,
  write: () => Promise<unknown>,
) {
  await other.query('begin')
  try {
    await other.query(lock)
    const outcome = write().then(
      () => undefined,
      (error: unknown) => error,
    )
    await eventually(isWaiting)
    await other.query(change, [actor.user_id])
    await other.query('commit')
    return await outcome
  } finally {
    // Has no effect after the commit. After a failure it releases the lock; otherwise all later
    // tests would wait for it.
    await other.query('rollback')
  }
}

let count = 0

for (const [what, lock, write] of writes)
  test(`${what} waits for ${lock} and is refused if the actor changed while it waited`, async () => {
    for (const [how, { change, refused }] of Object.entries(changes)) {
      const actor = await world.person(`actor${count++}`, 'administrator')
      const before = await contents()

      const error = await changeDuring(actor, locks[lock], change, () => write(actor))

      await assert.rejects(Promise.reject(error), refused, `${what} by someone who ${how}`)
      await world.database.query(
        `update user_account set role = 200, is_active = true, api_key_hash = $2 where id = $1`,
        [actor.user_id, world.nodes.a.app.secrets.hash(actor.api_key)],
      )
      assert.deepEqual(await contents(), before)
    }
  })

const ownWrites: [name: string, write: (actor: Person) => Promise<unknown>][] = [
  ['a new key', ({ users }) => users.regenerateApiKey()],
  ['a new name', ({ users }) => users.updateSettings({ full_name: 'Somebody' })],
  [
    'a new password',
    ({ users, password: old_password }) =>
      users.updateSettings({ old_password, new_password: 'plum tree 51 garden' }),
  ],
  ['leaving', ({ users }) => users.deactivateMe()],
]

for (const [what, write] of ownWrites)
  test(`${what} is refused if the account was deactivated or its key changed while it waited for the user row`, async () => {
    for (const how of ['was deactivated', 'got another key'] as const) {
      const actor = await world.person(`actor${count++}`, 'administrator')
      const { change, refused } = changes[how]
      const row = () =>
        world.database.query(
          'select full_name, password_hash, is_active, api_key_hash from user_account where id = $1',
          [actor.user_id],
        )
      const [before] = await row()

      const error = await changeDuring(actor, locks['the own row'], change, () => write(actor))

      await assert.rejects(Promise.reject(error), refused, `${what} for someone who ${how}`)
      const [after] = await row()
      const untouched =
        how === 'was deactivated' ? { is_active: false } : { api_key_hash: after?.api_key_hash }
      assert.deepEqual(after, { ...before, ...untouched })
      assert.notDeepEqual(after, before)
    }
  })

test("a write whose actor's role changed while it waited continues if the new role suffices", async () => {
  const actor = await world.person(`actor${count++}`, 'owner')

  const error = await changeDuring(
    actor,
    locks['the roles of the organization'],
    'update user_account set role = 200 where id = $1',
    () => actor.users.update({ user_id, role: 600 }),
  )

  assert.equal(error, undefined)
  assert.equal((await world.owner.users.get({ user_id })).user.is_guest, true)
})

const sessionChanges = {
  'was signed out': {
    change: 'delete from session where user_id = $1',
    refused: { status: 401, message: /^Not logged in/ },
  },
  'lost the role': changes['lost the role'],
  // A deactivation deletes the sessions. Here the session remains, and it must be refused too.
  'was deactivated': changes['was deactivated'],
}

for (const [how, { change, refused }] of Object.entries(sessionChanges))
  test(`a write with a session is refused if the actor ${how} while it waited`, async () => {
    const writes: [lock: keyof typeof locks, write: (session: BrowserSession) => Promise<unknown>][] = [
      ['the roles of the organization', ({ users }) => users.update({ user_id, role: 600 })],
      ['the row of the user', ({ users }) => users.update({ user_id, full_name: 'Renamed' })],
    ]
    for (const [lock, write] of writes) {
      const actor = await world.person(`actor${count++}`, 'administrator')
      const session = await signIn(world, actor)
      const before = await contents()

      const error = await changeDuring(actor, locks[lock], change, () => write(session))

      await assert.rejects(Promise.reject(error), refused, lock)
      await world.database.query('update user_account set role = 200, is_active = true where id = $1', [
        actor.user_id,
      ])
      assert.deepEqual(await contents(), before)
    }
  })

const pageChanges = [
  { path: '/invite', form: { emails: 'new@x.example' }, how: 'became a member', role: 400, status: 200 },
  { path: '/invite', form: { emails: 'other@x.example' }, how: 'became a guest', role: 600, status: 403 },
  { path: '/logout', form: {}, how: 'became a guest', role: 600, status: 303 },
]

for (const { path, form, how, role, status } of pageChanges)
  test(`the form ${path} is answered with ${status} if the actor ${how} while it waited`, async () => {
    const { stream_id } = await world.stream(`stream${count}`)
    await world.owner.defaultStreams.add({ stream_id })
    const actor = await world.person(`actor${count++}`, 'administrator')
    const { headers } = await signIn(world, actor)
    let response: RawResponse | undefined

    await changeDuring(
      actor,
      locks['the roles of the organization'],
      `update user_account set role = ${role} where id = $1`,
      async () => {
        const accept = 'text/html'
        response = await request(world.nodes.a.url, {
          method: 'POST',
          path,
          form,
          headers: { ...headers, accept },
        })
      },
    )

    assert.equal(response?.status, status)
  })

test('signing out on the page succeeds even if the session ended while the request waited', async () => {
  const actor = await world.person(`actor${count++}`)
  const { headers } = await signIn(world, actor)
  let response: RawResponse | undefined

  await changeDuring(
    actor,
    locks['the roles of the organization'],
    'delete from session where user_id = $1',
    async () => {
      response = await request(world.nodes.a.url, { method: 'POST', path: '/logout', form: {}, headers })
    },
  )

  assert.deepEqual([response?.status, response?.headers.get('location')], [303, '/login?signed_out'])
})
