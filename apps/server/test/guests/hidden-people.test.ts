import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ApiError, listEndpoints, Role, type UserId } from '@oxbow/contract'
import { type Person, request, startWorld } from '@oxbow/testkit'
import { sendPrivately, sendToStream } from '@oxbow/testkit/calls/messages'
import { nextWeek, schedule } from '@oxbow/testkit/calls/scheduled-messages'
import { resolveDestination } from '../../src/messages/send/recipients.ts'
import { getPresence } from '../../src/people/presence/get-presence.ts'
import { listPresenceOfUsers } from '../../src/people/presence/list-presence-of.ts'
import { sendTypingNotification } from '../../src/people/typing/send-typing-notification.ts'
import { getUser, getUserByEmail } from '../../src/people/users/read-users.ts'
import type { Actor } from '../../src/platform/actor.ts'
import type { App } from '../../src/platform/app.ts'

// A guest whose sight is limited cannot tell a person whom it does not see from one who does not exist.

const world = await startWorld({ ownServer: true })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
// Gives accounts ids that differ from every other number in a response.
await world.database.query(`select setval('user_account_id_seq', 600000)`)
await owner.organization.update({ email_address_visibility: 3, guests_see_only_shared_people: true })
const iris = await world.person('iris')
const gus = await world.person('gus', 'guest')
const open = await world.stream('open', { members: [iris, gus] })
const message_id = await sendToStream(iris, open, 'roses')
const draft_id = (await gus.drafts.create({ drafts: [draftTo(iris.user_id)] })).ids[0]
const scheduled = await schedule(gus, { type: 'private', to: [iris.user_id] } as never)
const { id: field_id } = await owner.profileFields.create({ name: 'Mentor', field_type: 6 })

/** The ways in which a request may name a person. */
interface Named {
  user_id: number
  address: string
  delivery_email: string
  full_name: string
}

async function toNamed(person: Promise<Person>): Promise<Named> {
  const { user_id, email } = await person
  const { user } = await owner.users.get({ user_id })
  return { user_id, address: user.email, delivery_email: email, full_name: user.full_name }
}
const hidden: Record<string, Named> = {
  member: await toNamed(world.person('heron')),
  administrator: await toNamed(world.person('hazel', 'administrator')),
  guest: await toNamed(world.person('hugo', 'guest')),
  bot: await toNamed(world.bot('hopper', owner)),
  deactivated: await makeDeactivated('hanno'),
}
const missing: Named = {
  user_id: 987_654,
  address: 'user987654@localhost',
  delivery_email: 'nobody@garden.example',
  full_name: 'Nemo Gardener',
}

async function makeDeactivated(name: string): Promise<Named> {
  const person = await world.person(name)
  await person.userStatus.set({ status_text: 'away' })
  await owner.users.deactivate({ user_id: person.user_id })
  return toNamed(Promise.resolve(person))
}

function draftTo(user_id: number) {
  return { type: 'private' as const, to: [user_id], topic: '', content: 'a' } as never
}

type Probe = (person: Named) => object[]
const byId: Probe = ({ user_id }) => [{ user_id }]
const addresses = ({ address, delivery_email }: Named) => [address, address.toUpperCase(), delivery_email]
const named = (person: Named): (string | number)[] => [person.user_id, ...addresses(person)]
const narrows = (person: Named) => [
  ...named(person).map((operand) => ({ operator: 'sender', operand })),
  ...named(person).map((operand) => ({ operator: 'group-pm-with', operand })),
  ...addresses(person).map((operand) => ({ operator: 'pm-with', operand })),
  { operator: 'pm-with', operand: [person.user_id] },
  { operator: 'pm-with', operand: `${iris.email},${person.address}` },
]
const page = { anchor: 'newest', num_before: 5, num_after: 0 }

/** Requests about a person, for every endpoint that takes one and that guests may call. */
const probes: Record<string, Probe> = {
  'users.get': byId,
  'users.getByEmail': (person) => addresses(person).map((email) => ({ email })),
  'users.deactivate': byId,
  'users.reactivate': byId,
  'mutedUsers.mute': ({ user_id }) => [{ muted_user_id: user_id }],
  'mutedUsers.unmute': ({ user_id }) => [{ muted_user_id: user_id }],
  'users.setProfileData': ({ user_id }) => [{ data: [{ id: field_id, value: [user_id] }] }],
  'bots.deactivate': ({ user_id }) => [{ bot_id: user_id }],
  'webhooks.listFailures': ({ user_id }) => [{ bot_id: user_id }],
  'webhooks.replayFailure': ({ user_id }) => [{ bot_id: user_id, failure_id: 1 }],
  'subscriptions.status': ({ user_id }) => [{ user_id, stream_id: open.stream_id }],
  'subscriptions.unsubscribe': (person) =>
    [[person.user_id], [person.address]].map((principals) => ({ subscriptions: [open.name], principals })),
  'messages.send': (person) => [
    ...named(person).map((to) => ({ type: 'private', to: [to], content: 'a' })),
    { type: 'private', to: [iris.user_id, person.user_id], content: 'a' },
  ],
  'messages.render': ({ full_name, user_id }) => [
    { content: `@**${full_name}** and @_**${full_name}**` },
    { content: `@**${full_name}|${user_id}**` },
  ],
  'messages.list': (person) => narrows(person).map((narrow) => ({ ...page, narrow: [narrow] })),
  'messages.matchesNarrow': (person) =>
    narrows(person).map((narrow) => ({ msg_ids: [message_id], narrow: [narrow] })),
  'scheduledMessages.create': (person) =>
    named(person).map((to) => ({
      type: 'private',
      to: [to],
      content: 'a',
      scheduled_delivery_timestamp: nextWeek(),
    })),
  'scheduledMessages.edit': (person) =>
    named(person).map((to) => ({ scheduled_message_id: scheduled, type: 'private', to: [to] })),
  'drafts.create': ({ user_id }) => [{ drafts: [draftTo(user_id)] }],
  'drafts.edit': ({ user_id }) => [{ draft_id, draft: draftTo(user_id) }],
  'presence.get': (person) => named(person).map((user) => ({ user_id_or_email: String(user) })),
  'presence.listOf': ({ user_id }) => [{ user_ids: [user_id] }],
  'typing.tell': (person) => named(person).map((to) => ({ op: 'start', to: [to] })),
  'typing.tellShort': (person) => named(person).map((to) => ({ op: 'start', to: [to] })),
  'notifications.explain': ({ user_id }) => [{ message_id, user_id }],
  'permissions.explain': ({ user_id }) => [
    { user_id, action: 'create_stream' },
    ...['see_email', 'change_user', 'deactivate_user', 'send_private_message'].map((action) => ({
      user_id: gus.user_id,
      action,
      other_user_id: user_id,
    })),
  ],
}

const takesPerson =
  /^(user_id|user_ids|user_id_or_email|email|bot_id|bot_owner_id|muted_user_id|other_user_id|principals|to|narrow|members|draft|drafts|data)$/
/** Endpoints whose parameters of these names are not about people, or only about the caller. */
const withoutPeople = ['events.register', 'events.poll', 'users.updateSettings', 'users.clearProfileData']

test('every endpoint that takes a person and that guests may call has a probe', () => {
  const lacking = listEndpoints().filter(
    ({ name, endpoint }) =>
      endpoint.auth === 'user' &&
      !endpoint.only?.some(
        (only) => only === 'administrators' || only === 'owners' || only === 'not guests',
      ) &&
      Object.keys(endpoint.params).some((param) => takesPerson.test(param)) &&
      !withoutPeople.includes(name) &&
      !probes[name],
  )
  assert.deepEqual(
    lacking.map(({ name }) => name),
    [],
  )
})

/** Returns the response with everything replaced that the request has named. */
async function ask(endpoint: string, params: object, person: Named): Promise<string> {
  const [group = '', call = ''] = endpoint.split('.')
  const calls = gus as unknown as Record<string, Record<string, (params: object) => Promise<object>>>
  const response = await calls[group]?.[call]?.(params).catch((error: unknown) => {
    if (error instanceof ApiError) return { status: error.status, ...error.body }
    throw error
  })
  return [person.address, person.delivery_email, person.full_name, String(person.user_id)].reduce(
    (text, name) => text.replaceAll(new RegExp(RegExp.escape(name), 'gi'), 'the person'),
    JSON.stringify(response).replaceAll(/"(age_seconds|server_timestamp|ids|id)":[^,}]+/g, '"$1":0'),
  )
}

test('a guest cannot distinguish a hidden person from one who does not exist, in 300 pairs of requests', async () => {
  const differences: string[] = []
  let pairs = 0
  for (const [name, probe] of Object.entries(probes)) {
    for (const [index, params] of probe(missing).entries()) {
      const expected = await ask(name, params, missing)
      for (const [kind, person] of Object.entries(hidden)) {
        pairs++
        const answer = await ask(name, probe(person)[index] ?? {}, person)
        if (answer !== expected)
          differences.push(`${name} ${JSON.stringify(params)}, ${kind}: ${answer} is not ${expected}`)
      }
    }
  }
  assert.deepEqual(differences, [])
  assert.ok(pairs >= 300, `${pairs} pairs`)
})

/** Returns the statements that a read makes, without their parameters. */
async function listStatements(read: (app: App) => Promise<unknown>): Promise<string[]> {
  const { app } = world.nodes.a
  const statements: string[] = []
  const db = app.db.withPlugin({
    transformQuery({ node }) {
      statements.push(JSON.stringify(node, (name, value) => (name === 'value' ? undefined : value)))
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  await read({ ...app, db }).catch((error: unknown) => assert.ok(error instanceof ApiError))
  return statements
}

test('a guest causes the same statements by asking for a hidden person as for one who does not exist', async () => {
  const { organization_id } = world
  const actor = { organization_id, user_id: gus.user_id, role: Role.guest } as Actor
  const view = { client_external_avatar: false, include_custom_profile_fields: false }
  const reads: Record<string, (app: App, person: Named) => Promise<unknown>> = {
    byId: (app, { user_id }) => getUser(app, actor, { ...view, user_id: user_id as UserId }),
    byAddress: (app, { address: email }) => getUserByEmail(app, actor, { ...view, email }),
    presence: (app, { address }) => getPresence(app, actor, { user_id_or_email: address }),
    presenceOf: (app, { user_id }) => listPresenceOfUsers(app, actor, { user_ids: [user_id as UserId] }),
    recipient: (app, { user_id }) => resolveDestination(app, actor, { kind: 'people', people: [user_id] }),
    typing: (app, { address }) => sendTypingNotification(app, actor, { op: 'start', to: [address] }),
  }
  for (const [name, read] of Object.entries(reads)) {
    const expected = await listStatements((app) => read(app, missing))
    assert.ok(expected.length > 0, name)
    for (const [kind, person] of Object.entries(hidden))
      assert.deepEqual(await listStatements((app) => read(app, person)), expected, `${name}, ${kind}`)
  }
})

test('the avatar page redirects to the default picture for hidden people', async () => {
  const open = (person: Named) =>
    request(world.nodes.a.url, {
      method: 'GET',
      path: `/avatar/${person.user_id}`,
      credentials: { email: gus.email, api_key: gus.api_key },
    })
  const expected = await open(missing)
  for (const person of Object.values(hidden)) {
    const { status, headers } = await open(person)
    assert.deepEqual([status, headers.get('location')], [expected.status, expected.headers.get('location')])
  }
})

test('a guest gets neither ids, names nor addresses of hidden people from lists, states and events', async () => {
  const state = await gus.events.register({})
  const silent = await iris.events.register({ event_types: ['realm_user'] })
  for (const [kind, { user_id }] of Object.entries(hidden))
    await owner.users.update({ user_id: user_id as UserId, full_name: `Heron ${kind}` })
  const { members: listed } = await iris.users.list({})
  await world.person('hera')
  await sendPrivately(owner, [iris])
  await world.settled()

  const shown = JSON.stringify([
    state,
    await gus.users.list({ include_custom_profile_fields: true }),
    await gus.users.directory(),
    await gus.presence.list(),
    await gus.messages.list({ ...page, narrow: [] }),
    (
      await gus.events.poll({
        queue_id: state.queue_id,
        last_event_id: state.last_event_id,
        dont_block: true,
      })
    ).events,
  ])
  assert.doesNotMatch(shown, /heron|hazel|hugo|hopper|hanno|hera/i)
  for (const { user_id } of Object.values(hidden)) assert.ok(!shown.includes(String(user_id)))
  assert.ok(listed.length > 6)
  const { events } = await iris.events.poll({
    queue_id: silent.queue_id,
    last_event_id: silent.last_event_id,
    dont_block: true,
  })
  assert.ok(events.length >= 5, 'members get the events')
})

test('messages show writers whom a guest does not see by name and picture only', async () => {
  const zoe = await world.person('zoe')
  const id = await sendToStream(zoe, open, 'roses', 'passing by')
  await zoe.messages.addReaction({ message_id, emoji_name: 'rose' })
  const { messages } = await gus.messages.list(page)
  const message = messages.find((found) => found.id === id)

  assert.match(message?.sender_full_name ?? '', /^zoe/i)
  assert.equal(message?.sender_email, `user${zoe.user_id}@localhost`)
  assert.doesNotMatch(JSON.stringify(messages), /@garden|@example/)
  await assert.rejects(gus.users.get({ user_id: zoe.user_id }))
})

test('addresses cannot be shown to everyone while the sight of guests is limited', async () => {
  const shown = owner.organization.update({ email_address_visibility: 1 })
  await assert.rejects(shown, /Guests can be limited/)
  await owner.organization.update({ guests_see_only_shared_people: false })
  await owner.organization.update({ email_address_visibility: 1 })
  await assert.rejects(
    owner.organization.update({ guests_see_only_shared_people: true }),
    /Guests can be limited/,
  )
})
