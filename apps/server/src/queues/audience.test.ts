import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Role } from '@oxbow/contract'
import { type NodeName, openQueue, type Registration, startWorld } from '@oxbow/testkit'
import type { Audience, Emission } from '../events/record.ts'
import { emitEvents, makeNote, namesOf } from '../events/test/emit-events.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const bot = await world.bot('mower', otto)
const everyone = { owner, iris, otto, gus, bot }
type Name = keyof typeof everyone

/**
 * Opens a queue for each user, runs `change`, and returns the events that each user got. Half of
 * the users read on node a, the others on node b.
 */
async function received(
  change: () => Promise<unknown>,
  registration: Registration = {},
): Promise<Partial<Record<Name, unknown[]>>> {
  const registrationParams = { event_types: ['note', 'message'], ...registration }
  const opened = await Promise.all(
    Object.entries(everyone).map(async ([name, person], index) => {
      const node: NodeName = index % 2 ? 'a' : 'b'
      return { name, node, queue: await openQueue(person, registrationParams) }
    }),
  )
  await change()
  await world.settled()
  const got: Record<string, unknown[]> = {}
  for (const { name, node, queue } of opened) {
    const names = namesOf(await queue.rest(node))
    if (names.length > 0) got[name] = names
  }
  return got
}

const readersOf = async (to: Audience, emission: Partial<Emission> = {}, registration: Registration = {}) =>
  Object.keys(await received(() => emitEvents(world, makeNote('it', { to, ...emission })), registration))

test('an event with users reaches exactly the listed accounts', async () => {
  assert.deepEqual(await readersOf({ users: [iris.user_id, bot.user_id] }), ['iris', 'bot'])
  assert.deepEqual(await readersOf({}), [])
  const many = Array.from({ length: 40 }, (_, index) => (10_000 + index) as never)
  assert.deepEqual(await readersOf({ users: [...many, gus.user_id] }), ['gus'])
})

test('an event with roles reaches active accounts with these roles, and peopleOnly excludes bots', async () => {
  assert.deepEqual(await readersOf({ roles: 'everyone' }), ['owner', 'iris', 'otto', 'gus', 'bot'])
  assert.deepEqual(await readersOf({ roles: [Role.guest, Role.owner] }), ['owner', 'gus'])
  assert.deepEqual(await readersOf({ roles: [Role.member], peopleOnly: true }), ['iris', 'otto'])
})

test('an account in except does not get the event, even if it is in users or has one of the roles', async () => {
  const to: Audience = {
    roles: 'everyone',
    users: [iris.user_id],
    except: [iris.user_id, owner.user_id],
  }
  assert.deepEqual(await readersOf(to), ['otto', 'gus', 'bot'])
})

test('a bot named in users gets an event with peopleOnly', async () => {
  assert.deepEqual(await readersOf({ users: [bot.user_id], roles: [Role.owner], peopleOnly: true }), [
    'owner',
    'bot',
  ])
})

test('roles are evaluated at the time the event was written, even if it is read much later', async () => {
  const forGuests = (name: string) => makeNote(name, { to: { roles: [Role.guest] } })
  const forMembers = (name: string) => makeNote(name, { to: { roles: [Role.member] } })
  const change = (role: 400 | 600) => owner.users.update({ user_id: gus.user_id, role })

  const got = await received(async () => {
    await emitEvents(world, forGuests('as a guest'), forMembers('not as a guest'))
    await change(400)
    await emitEvents(world, forGuests('not as a member'), forMembers('as a member'))
    await change(600)
    await emitEvents(world, forGuests('as a guest again'))
  })

  assert.deepEqual(got.gus, ['as a guest', 'as a member', 'as a guest again'])
  assert.deepEqual(got.iris, ['not as a guest', 'as a member'])
})

test('an event with asOf reaches the accounts that had the role before the change', async () => {
  const got = await received(async () => {
    await owner.users.update({ user_id: gus.user_id, role: 400 })
    const [period] = await world.database.query<{ at: number }>(
      'select from_outbox_id::int as at from role_period where user_id = $1 and to_outbox_id is null',
      [gus.user_id],
    )
    const asOf = (period?.at ?? 0) - 1
    await emitEvents(world, makeNote('to former guests', { to: { roles: [Role.guest], asOf } }))
    await emitEvents(world, makeNote('to guests', { to: { roles: [Role.guest] } }))
    await owner.users.update({ user_id: gus.user_id, role: 600 })
  })

  assert.deepEqual(got, { gus: ['to former guests'] })
})

test('public events also reach all_public_streams queues, except queues of guests', async () => {
  const isPublic = { isPublic: true }
  assert.deepEqual(await readersOf({ stream: 77 }, isPublic), [])
  assert.deepEqual(await readersOf({ stream: 77 }, isPublic, { all_public_streams: true }), [
    'owner',
    'iris',
    'otto',
    'bot',
  ])
  assert.deepEqual(await readersOf({ stream: 77 }, {}, { all_public_streams: true }), [])
})

test('an account in except does not get a public event through all_public_streams either', async () => {
  const to: Audience = { stream: 77, except: [iris.user_id, bot.user_id] }

  assert.deepEqual(await readersOf(to, { isPublic: true }, { all_public_streams: true }), ['owner', 'otto'])
})

test('per-account fields are sent only to their own account', async () => {
  const queues = { iris: await openQueue(iris), otto: await openQueue(otto) }

  await emitEvents(world, makeNote('shared', { parts: { [iris.user_id]: { secret: 'roses' } } }))

  const [[own], [others]] = [await queues.iris.take(1), await queues.otto.take(1)]
  const { secret, ...rest } = own as unknown as Record<string, unknown>
  assert.equal(secret, 'roses')
  assert.deepEqual(others, rest)
})

test('each reader gets their own flags, or an empty list', async () => {
  const queues = { iris: await openQueue(iris), otto: await openQueue(otto), gus: await openQueue(gus) }
  await emitEvents(
    world,
    makeNote('flagged', { flags: { [iris.user_id]: ['read'], [otto.user_id]: ['mentioned', 'starred'] } }),
    makeNote('plain'),
  )
  await world.settled()

  const flagsOf = async (name: keyof typeof queues) =>
    (await queues[name].rest()).map((event) => (event as { flags?: string[] }).flags)

  assert.deepEqual(await flagsOf('iris'), [['read'], undefined])
  assert.deepEqual(await flagsOf('otto'), [['mentioned', 'starred'], undefined])
  assert.deepEqual(await flagsOf('gus'), [[], undefined])
})

const message = (name: string, fields: object, flags: Record<number, string[]> = {}) =>
  makeNote(name, {
    event: {
      type: 'message',
      name,
      message: {
        type: 'stream',
        display_recipient: 'Garden',
        subject: 'Roses',
        sender_email: 'iris@garden.example',
        ...fields,
      },
    },
    flags,
  })

test('a narrow filters messages by all its terms and does not affect other events', async () => {
  const private_ = { type: 'private', display_recipient: [], subject: '' }
  const emissions = [
    message('roses', {}, { [iris.user_id]: ['read'] }),
    message('tulips', { subject: 'tulips' }, { [iris.user_id]: ['mentioned'] }),
    message('kitchen', { display_recipient: 'kitchen', sender_email: 'otto@garden.example' }),
    message('private', private_, { [iris.user_id]: ['starred', 'read'] }),
    makeNote('no message'),
  ]
  const cases: [narrow: [string, string][], names: string[]][] = [
    [[], ['roses', 'tulips', 'kitchen', 'private']],
    [[['stream', 'garden']], ['roses', 'tulips']],
    [[['topic', 'ROSES']], ['roses', 'kitchen']],
    [[['topic', '']], []],
    [[['sender', 'IRIS@garden.example']], ['roses', 'tulips', 'private']],
    [[['is', 'private']], ['private']],
    [[['is', 'starred']], ['private']],
    [[['is', 'unread']], ['tulips', 'kitchen']],
    [[['is', 'mentioned']], ['tulips']],
    [[['is', 'alerted']], ['tulips']],
    [[['is', 'unheard of']], ['roses', 'tulips', 'kitchen', 'private']],
    [
      [
        ['stream', 'GARDEN'],
        ['topic', 'tulips'],
        ['sender', 'iris@garden.example'],
      ],
      ['tulips'],
    ],
    [
      [
        ['stream', 'garden'],
        ['sender', 'otto@garden.example'],
      ],
      [],
    ],
  ]
  const queues = await Promise.all(
    cases.map(([narrow]) => openQueue(iris, { narrow, event_types: ['message', 'note'] })),
  )
  await emitEvents(world, ...emissions)
  await world.settled()

  for (const [index, [narrow, names]] of cases.entries())
    assert.deepEqual(
      namesOf((await queues[index]?.rest()) ?? []),
      [...names, 'no message'],
      JSON.stringify(narrow),
    )
})

test('a narrow never delivers messages of streams the reader is not subscribed to', async () => {
  const inGarden = (name: string, emission: Partial<Emission>) => ({
    ...message(name, {}),
    to: { stream: 78 },
    ...emission,
  })

  const got = await received(
    () => emitEvents(world, inGarden('public', { isPublic: true }), inGarden('not public', {})),
    { narrow: [['stream', 'garden']] },
  )

  assert.deepEqual(got, {})
})
