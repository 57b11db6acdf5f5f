import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type OrganizationId, Role } from '@oxbow/contract'
import { eventually, type Person, pngOf, repeatIfSlowed, request, startWorld } from '@oxbow/testkit'
import { Dice, testSeed } from '@oxbow/testkit/seed'
import { bySize } from '@oxbow/testkit/size'
import { type KyselyPlugin, sql } from 'kysely'
import pg from 'pg'
import { openApp } from '../../node.ts'
import { connectionOptions, type Db, type Tx } from '../../platform/database/database.ts'
import { inSnapshot } from '../../platform/database/transaction.ts'
import { listShownUsers } from './queries.ts'
import { getSharedUsers, readSharedUsers, type UserListing } from './shared-users.ts'
import { type ViewOptions, viewUser } from './views.ts'

/** Enough users for a shared list of several groups. */
const villagers = 1_300
const maxMebibytes = 2
const maxBytes = maxMebibytes * 1_048_576

const world = await startWorld({ checked: false, config: { shared_users_mib: maxMebibytes } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const organization_id = world.organization_id as OrganizationId
const { app } = world.nodes.a
const addVillagers = (organization: number, count: number) =>
  world.database.query<{ id: number }>(
    `with account as (
       insert into user_account (organization_id, delivery_email, full_name, role, is_active, api_key_hash, api_key_sealed)
       select $1::bigint, 'villager' || number || '@village.example', 'Zoë 🌱 ' || number, 400, number % 7 > 0,
         sha256(($1::bigint || 'v' || number)::bytea), ''
       from generate_series(1, $2::int) as number returning organization_id, id
     ), setting as (
       insert into user_setting (organization_id, user_id) select organization_id, id from account
     ), period as (
       insert into role_period (organization_id, user_id, role, from_outbox_id, from_message_id)
       select organization_id, id, 400, nextval('outbox_id'), nextval('message_id') from account
     )
     select id from account order by id`,
    [organization, count],
  )
const iris = await world.person('iris')
const viewers: Record<string, Person> = {
  owner,
  administrator: await world.person('ada', 'administrator'),
  member: iris,
  guest: await world.person('gus', 'guest'),
  bot: await world.bot('robin', iris),
}
const ids = (await addVillagers(organization_id, villagers)).map(({ id }) => Number(id))
const active = ids.filter((_, index) => (index + 1) % 7 > 0)
const deactivated = ids.filter((_, index) => (index + 1) % 7 === 0)

interface Flags {
  client_external_avatar: boolean
  include_custom_profile_fields: boolean
}

/** Returns the users that PostgreSQL has now, as this account sees them. */
async function readExpected(viewer: Person, flags: Flags) {
  const [row] = await world.database.query<{ role: Role }>('select role from user_account where id = $1', [
    viewer.user_id,
  ])
  const view: ViewOptions = {
    viewerRole: Number(row?.role) as Role,
    clientComputesAvatars: flags.client_external_avatar,
    withProfile: flags.include_custom_profile_fields,
  }
  const users = (await Array.fromAsync(listShownUsers(app.db, organization_id, view.withProfile))).flat()
  return users.map((user) => JSON.parse(JSON.stringify(viewUser(app, user, view))))
}

const withoutActive = ({ is_active: _, ...user }: { is_active: boolean }) => user

async function checkViewer(viewer: Person, node: 'a' | 'b', flags: Flags, message: string): Promise<void> {
  const { events, users } = viewer.on(node)
  const expected = await readExpected(viewer, flags)
  assert.deepEqual((await users.list(flags)).members, expected, `GET /users, ${message}`)
  const inRegister = flags.include_custom_profile_fields
    ? expected
    : await readExpected(viewer, { ...flags, include_custom_profile_fields: true })
  const { client_external_avatar } = flags
  const state = await events.register({ fetch_event_types: ['realm_user'], client_external_avatar })
  const active = inRegister.filter(({ is_active }) => is_active).map(withoutActive)
  const others = inRegister.filter(({ is_active }) => !is_active).map(withoutActive)
  assert.deepEqual(state.realm_users, active, `realm_users, ${message}`)
  assert.deepEqual(state.realm_non_active_users, others, `realm_non_active_users, ${message}`)
}

test('shared users equal those in PostgreSQL for every role and visibility, after changes on both nodes', async () => {
  const field = (await owner.profileFields.create({ field_type: 2, name: 'Motto' })).id
  const other = (await owner.profileFields.create({ field_type: 1, name: 'Tool' })).id
  const dice = new Dice(testSeed)
  const random = (count: number) => Math.floor(dice.roll() * count)
  const anyone = () => active[random(active.length)] as number
  const take = (list: number[]) => list.splice(random(list.length), 1)[0] as number
  const onNode = () => owner.on(random(2) === 0 ? 'a' : 'b')
  const changeVillager = (fields: object) => onNode().users.update({ user_id: anyone(), ...fields })
  let fieldRemoved = false
  const changes: Record<string, () => Promise<unknown>> = {
    join: async () =>
      void active.push((await world.person(`newcomer${active.length}x${random(1e9)}`)).user_id),
    rename: () => changeVillager({ full_name: `Ünal ${random(1e6)}` }),
    deactivate: async () => {
      const user_id = take(active)
      await onNode().users.deactivate({ user_id })
      deactivated.push(user_id)
    },
    reactivate: async () => {
      const user_id = take(deactivated)
      await onNode().users.reactivate({ user_id })
      active.push(user_id)
    },
    role: () => changeVillager({ role: [Role.administrator, Role.member, Role.guest][random(3)] }),
    'own role': () =>
      onNode().users.update({ user_id: iris.user_id, role: [Role.administrator, Role.member][random(2)] }),
    avatar: () => iris.on('b').users.setAvatar({ files: [{ name: 'me.png', bytes: pngOf(3, 2) }] }),
    'no avatar': () => iris.users.clearAvatar(),
    profile: () => changeVillager({ profile_data: [{ id: field, value: `motto *${random(1e6)}*` }] }),
    'removed profile value': () => changeVillager({ profile_data: [{ id: field, value: null }] }),
    'another profile value': () =>
      fieldRemoved ? Promise.resolve() : changeVillager({ profile_data: [{ id: other, value: 'spade' }] }),
    'removed profile field': async () => {
      if (random(4) > 0 || fieldRemoved) return
      fieldRemoved = true
      await onNode().profileFields.remove({ field_id: other })
    },
    visibility: () =>
      onNode().organization.update({ email_address_visibility: ([1, 3, 4] as const)[random(3)] ?? 1 }),
    timezone: () =>
      iris.settings.updateDisplay({ timezone: ['Europe/Berlin', 'Asia/Tokyo'][random(2)] ?? '' }),
    'change without an event': () =>
      world.database.query("update user_account set full_name = full_name || '!' where id = $1", [anyone()]),
  }
  const names = Object.keys(changes)
  for (let step = 0; step < bySize({ gate: 18, long: 300 }); step++) {
    const name = names[step < names.length ? step : random(names.length)] ?? ''
    await changes[name]?.()
    const flags = { client_external_avatar: random(2) === 0, include_custom_profile_fields: random(2) === 0 }
    const [viewer = '', node] = [
      Object.keys(viewers)[random(5)],
      random(2) === 0 ? ('a' as const) : ('b' as const),
    ]
    await checkViewer(viewers[viewer] ?? owner, node, flags, `${viewer} on ${node} after ${name}`)
  }
  for (const visibility of [1, 3, 4] as const) {
    await owner.organization.update({ email_address_visibility: visibility })
    for (const [index, [viewer, person]] of Object.entries(viewers).entries()) {
      const flags = {
        client_external_avatar: (index + visibility) % 2 === 0,
        include_custom_profile_fields: true,
      }
      await checkViewer(person, 'b', flags, `${viewer} with visibility ${visibility}`)
    }
  }
  // A change without an event empties the memory of both nodes, and node a may not have been used since.
  const flags = { client_external_avatar: false, include_custom_profile_fields: true }
  await checkViewer(owner, 'a', flags, 'the owner on a')
  for (const { app: node } of Object.values(world.nodes)) assert.ok(getSharedUsers(node).size > 3)
})

test('a caller never gets a shared list that contains addresses hidden from the caller', async () => {
  const read = async (viewer: Person, method: string, path: string) =>
    (await request(world.nodes.a.url, { method, path: `/api/v1${path}`, credentials: viewer })).text
  const outsiders = ['member', 'guest', 'bot'] as const
  await owner.users.update({ user_id: iris.user_id, role: Role.member })
  for (const [visibility, hidden] of [
    [3, outsiders],
    [4, ['owner', 'administrator', ...outsiders]],
  ] as const) {
    // Lists of earlier tests would leave no room, and users that are not shared prove nothing.
    app.events.log.invalidateAll()
    // Administrators read first, so that their lists are in memory when other callers read.
    await owner.organization.update({ email_address_visibility: 3 })
    for (const [method, path] of [
      ['GET', '/users'],
      ['POST', '/register'],
    ] as const) {
      assert.match(await read(owner, method, path), /villager5@village\.example/)
      await owner.organization.update({ email_address_visibility: visibility })
      const before = getSharedUsers(app).size
      for (const name of hidden) {
        const text = await read(viewers[name] as Person, method, path)
        assert.ok(text.length > 300_000)
        assert.doesNotMatch(text, /@village\.example/, `${name}, ${path}, visibility ${visibility}`)
      }
      assert.ok(before > 3 && getSharedUsers(app).size > before, 'both kinds of lists are shared')
      await owner.organization.update({ email_address_visibility: 3 })
    }
  }
  await owner.organization.update({ email_address_visibility: 1 })
})

const memberView: ViewOptions = { viewerRole: Role.member, clientComputesAvatars: false, withProfile: true }
const readPieces = (db: Db, view = memberView, listing: UserListing = 'listed') =>
  readSharedUsers(app, db, organization_id, view, listing)
const readNow = (view = memberView, listing: UserListing = 'listed') =>
  inSnapshot(app.db, async (db) => (await readPieces(db, view, listing))?.[0]?.pieces ?? [])
const parseUsers = (pieces: readonly (string | Buffer)[]): { user_id: number; full_name: string }[] =>
  JSON.parse(pieces.join(''))
const nameOf = (pieces: readonly (string | Buffer)[], id: number) =>
  parseUsers(pieces).find(({ user_id }) => user_id === id)?.full_name

test('concurrent callers share the same buffers, and a change replaces only the buffer of its group', async () => {
  world.nodes.a.app.events.log.invalidateAll()
  const [first = [], ...others] = await Promise.all(Array.from({ length: 10 }, () => readNow()))
  const buffersOf = (pieces: readonly (string | Buffer)[]) =>
    pieces.filter((piece) => typeof piece !== 'string')
  const keys = (pieces: readonly (string | Buffer)[]) =>
    buffersOf(pieces).map(({ buffer, byteOffset, length }) => ({ buffer, byteOffset, length }))
  assert.ok(buffersOf(first).length >= 4)
  for (const pieces of others)
    for (const [index, { buffer }] of keys(pieces).entries()) assert.equal(buffer, keys(first)[index]?.buffer)

  await owner.users.update({ user_id: active[500] as number, full_name: 'Somebody Else' })
  const changed = keys(await readNow()).filter(({ buffer }, index) => buffer !== keys(first)[index]?.buffer)
  assert.equal(changed.length, 1)
})

test("shared users are those of the caller's snapshot while a change waits for its commit", async () => {
  const id = active[300] as number
  await owner.users.update({ user_id: id, full_name: 'Before' })
  await world.database.query(`
    create function hold() returns trigger language plpgsql as $$ begin perform pg_advisory_xact_lock(77); return null; end $$;
    create constraint trigger hold after update on user_account deferrable initially deferred
      for each row when (new.full_name = 'After') execute function hold()`)
  const locker = new pg.Client(connectionOptions(world.database.url))
  await locker.connect()
  try {
    await locker.query('select pg_advisory_lock(77)')
    const renaming = owner.users.update({ user_id: id, full_name: 'After' })
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await eventually(async () => (await locker.query(waiting)).rowCount === 1)
    const registration = { event_types: ['realm_user'], fetch_event_types: ['realm_user'] }
    const state = await iris.on('b').events.register(registration)
    assert.equal(state.realm_users?.find(({ user_id }) => user_id === id)?.full_name, 'Before')
    const [opened, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reading = inSnapshot(app.db, async (db) => {
      await sql`select from organization`.execute(db)
      opened.resolve()
      await released.promise
      return (await readPieces(db))?.[0]?.pieces ?? []
    })
    await opened.promise

    await locker.query('select pg_advisory_unlock(77)')
    await renaming
    const later = await iris.on('b').events.register(registration)
    assert.equal(later.realm_users?.find(({ user_id }) => user_id === id)?.full_name, 'After')
    assert.equal(nameOf(await readNow(), id), 'After')
    released.resolve()
    assert.equal(nameOf(await reading, id), 'Before', 'the older snapshot')
    assert.equal(nameOf(await readNow(), id), 'After', 'after the older snapshot')
    const { events } = await iris.on('b').events.poll({
      queue_id: state.queue_id ?? '',
      last_event_id: state.last_event_id,
    })
    assert.deepEqual(
      events.map((event) => 'person' in event && 'full_name' in event.person && event.person.full_name),
      ['After'],
    )
  } finally {
    await locker.end()
    await world.database.query('drop trigger hold on user_account; drop function hold')
  }
})

test('a rename during a registration is either in the state or in an event, never in both', async () => {
  const renamed = active.slice(800, 804)
  const names = new Map<number, string>()
  let isDone = false
  const renaming = renamed.map(async (user_id, index) => {
    for (let round = 0; round < bySize({ gate: 12, long: 100 }); round++) {
      const full_name = `Busy ${user_id} ${round}`
      await owner.on(index % 2 ? 'a' : 'b').users.update({ user_id, full_name })
      names.set(user_id, full_name)
    }
  })
  const registered: { cursor: { queue_id: string; last_event_id: number }; state: Map<number, string> }[] = []
  const registering = (['a', 'b'] as const).map(async (node) => {
    while (!isDone) {
      const types = { event_types: ['realm_user'], fetch_event_types: ['realm_user'] }
      const state = await iris.on(node).events.register(types)
      const { queue_id = '', last_event_id, realm_users = [], realm_non_active_users = [] } = state
      const users = [...realm_users, ...realm_non_active_users]
      registered.push({
        cursor: { queue_id, last_event_id },
        state: new Map(users.map((user) => [user.user_id, user.full_name])),
      })
    }
  })
  await Promise.all(renaming)
  isDone = true
  await Promise.all(registering)
  await world.settled()
  assert.ok(registered.length >= 4)
  for (const { cursor, state } of registered) {
    const { events } = await iris.events.poll({ ...cursor, dont_block: true })
    for (const event of events) {
      if (!('person' in event) || !('full_name' in event.person) || !event.person.full_name) continue
      const { user_id, full_name } = event.person
      assert.notEqual(state.get(user_id), full_name, 'an event that the state includes')
      state.set(user_id, full_name)
    }
    for (const id of renamed) assert.equal(state.get(id), names.get(id))
  }
})

test('if the caller that reads a shared group fails, the other caller reads the group itself', async () => {
  let failures = 0
  for (let attempt = 0; attempt < 20 && failures === 0; attempt++) {
    app.events.log.invalidateAll()
    const started = Promise.withResolvers<number>()
    const reading = inSnapshot(app.db, async (db) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
      started.resolve(rows[0]?.pid ?? 0)
      return readPieces(db)
    }).catch(() => void failures++)
    const pid = await started.promise
    const other = readNow()
    while (getSharedUsers(app).size === 0) await new Promise(setImmediate)
    await world.database.query('select pg_terminate_backend($1)', [pid])
    assert.equal(parseUsers(await other).length, (await readExpected(owner, allFlags)).length)
    await reading
  }
  assert.ok(failures > 0)
  assert.equal(parseUsers(await readNow()).length, (await readExpected(owner, allFlags)).length)
})

test('a caller whose group another caller reads slowly keeps its transaction', () =>
  // A slow machine may also exceed the short timeout.
  repeatIfSlowed(world.database, 200, async () => {
    const { app: hasty, close } = await openApp(app.config, { databaseTimeoutMs: 400, logTo: world.log })
    const slowly: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        await setTimeout(1_000)
        return result
      },
    }
    const read = (db: Db) => readSharedUsers(hasty, db, organization_id, memberView, 'listed')
    try {
      const started = Promise.withResolvers<void>()
      const slow = inSnapshot(hasty.db, async (db) => {
        await readSharedUsers(hasty, db, organization_id, { ...memberView, withProfile: false }, 'listed')
        started.resolve()
        return read((db as Tx).withPlugin(slowly))
      })
      let hasFailed = false
      slow.catch((error) => {
        hasFailed = true
        started.reject(error)
      })
      await started.promise
      const { size } = getSharedUsers(hasty)
      await eventually(() => hasFailed || getSharedUsers(hasty).size > size)
      const fast = inSnapshot(hasty.db, async (db) => {
        const lists = await read(db)
        await sql`select 1`.execute(db)
        return lists?.[0]?.pieces ?? []
      })
      assert.equal(parseUsers(await fast).length, (await readExpected(owner, allFlags)).length)
      await slow
    } finally {
      await close()
    }
  }))

const allFlags: Flags = { client_external_avatar: true, include_custom_profile_fields: true }

test('shared users take no more memory than the setting allows, and lists in use are not evicted for others', async () => {
  const views = [Role.member, Role.administrator].flatMap((viewerRole) =>
    [true, false].flatMap((clientComputesAvatars) =>
      [true, false].map((withProfile): ViewOptions => ({ viewerRole, clientComputesAvatars, withProfile })),
    ),
  )
  const shared = getSharedUsers(app)
  const sizes: number[] = []
  let unshared = 0
  app.events.log.invalidateAll()
  for (const visibility of [3, 4, 1]) {
    await world.database.query('update organization set email_address_visibility = $1', [visibility])
    const [, before] = await readNow()
    for (const view of views) {
      const pieces = await readNow(view)
      if (pieces.length === 0) unshared++
      else assert.ok(parseUsers(pieces).length > villagers)
      if ((await readNow(view, 'registered')).length === 0) unshared++
      sizes.push(shared.bytes)
    }
    const [, after] = await readNow()
    assert.equal((after as Buffer).buffer, (before as Buffer).buffer)
  }
  assert.ok(Math.max(...sizes) <= maxBytes && Math.max(...sizes) > maxBytes / 2, `${sizes}`)
  assert.ok(unshared > 0)
  app.events.log.invalidateAll()
  assert.deepEqual([shared.bytes, shared.size], [0, 0])
})

test('users of small organizations and of organizations too large for the memory are not shared', async () => {
  const shared = getSharedUsers(app)
  app.events.log.invalidateAll()
  for (const [subdomain, count] of [
    ['hamlet', 10],
    ['city', 6_000],
  ] as const) {
    const { owner: mayor, organization_id: id } = await world.addOrganization(subdomain)
    await addVillagers(id, count)
    const { members } = await mayor.users.list()
    assert.equal(members.length, count + 1)
    const { realm_users = [], realm_non_active_users = [] } = await mayor.events.register()
    assert.equal(realm_users.length + realm_non_active_users.length, count + 1)
    assert.equal(shared.size, 0)
  }
})

test('a group is divided after many people have joined it', async () => {
  const { owner: mayor, organization_id: id } = await world.addOrganization('town')
  await addVillagers(id, 1_100)
  const count = async () => (await mayor.users.list()).members.length
  assert.equal(await count(), 1_101)
  const before = getSharedUsers(app).size
  await world.database.query(
    `insert into user_account (organization_id, delivery_email, full_name, role, api_key_hash, api_key_sealed)
     select $1::bigint, 'newcomer' || number || '@town.example', 'Newcomer', 400, sha256(($1::bigint || 'n' || number)::bytea), ''
     from generate_series(1, 900) as number`,
    [id],
  )
  assert.equal(await count(), 2_001)
  assert.ok(getSharedUsers(app).size >= before + 3)
  assert.equal(await count(), 2_001)
})
