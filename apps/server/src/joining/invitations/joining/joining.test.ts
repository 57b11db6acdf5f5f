import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type InvitationId, Role } from '@oxbow/contract'
import { createClient } from '@oxbow/sdk'
import {
  expectSameState,
  fetchAt,
  hostOf,
  type Person,
  request,
  startMailServer,
  startWorld,
} from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { findLink, goodPassword, ownPage, submitRegistration } from '@oxbow/testkit/calls/joining'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { collectNotices } from '../../../streams/test/pending-notices.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const iris = await world.person('iris')
const garden = await world.stream('garden', { members: [owner, iris] })
const pond = await world.stream('pond')
await owner.defaultStreams.add({ stream_id: pond.stream_id })

let count = 0

/** Invites an address and returns the link in the e-mail. */
async function invited(by: Person = iris, params: { invite_as?: number; stream_ids?: number[] } = {}) {
  const email = `New.${count++}@elsewhere.example`
  const stream_ids = (params.stream_ids ?? [garden.stream_id]) as (typeof garden.stream_id)[]
  await by.invitations.send({ invitee_emails: email, ...params, stream_ids })
  const { invites } = await owner.invitations.list()
  const id = invites.find((invitation) => invitation.email === email)?.id as InvitationId
  return { id, email, path: await findLink(mail, email) }
}

/** Returns a client for the account with this address. */
async function signIn(email: string, password = goodPassword) {
  const { api_key } = await world.anonymous('b').authentication.fetchApiKey({ username: email, password })
  return createClient({ url: world.nodes.b.url, credentials: { email, api_key } })
}

const open = (path: string) => request(world.nodes.a.url, { path })
const findUser = async (email: string) =>
  (await owner.users.list()).members.find((member) => member.email.toLowerCase() === email.toLowerCase())
const streamsOf = async (client: Awaited<ReturnType<typeof signIn>>) =>
  (await client.subscriptions.list()).subscriptions.map(({ name }) => name).toSorted()

test('accepting an invitation creates an account with its role and streams', async () => {
  for (const role of [Role.owner, Role.administrator, Role.member, Role.guest]) {
    const { email, path } = await invited(owner, { invite_as: role })
    const page = await open(path)
    assert.equal(page.status, 200)
    assert.match(page.text, /<bdi>Olive Owner<\/bdi> invited you\./)
    assert.match(page.text, new RegExp(`value="${email}"[^>]*readonly`))

    const response = await submitRegistration(world, path, { full_name: ' Nora New ' })

    assert.equal(response.status, 303, response.text)
    const nora = await signIn(email)
    const me = await nora.users.me()
    assert.deepEqual([me.full_name, me.email], ['Nora New', email])
    const listed = await findUser(email)
    assert.deepEqual(
      [listed?.is_owner, listed?.is_admin, listed?.is_guest],
      [role === 100, role <= 200, role === 600],
    )
    assert.deepEqual(await streamsOf(nora), ['garden'])
  }
})

test('the inviter is recorded and notified, and recent messages are visible', async () => {
  await sendToStream(iris, garden, 'roses', 'Pruned of late.')
  const { email, path } = await invited()

  const notices = await collectNotices(world, () => submitRegistration(world, path))

  const user = await findUser(email)
  assert.deepEqual(notices, [
    { users: [iris.user_id], content: `@_**Nora New|${user?.user_id}** accepted your invitation to join.` },
  ])
  const rows = await world.database.query('select invited_by::int from invited_user where user_id = $1', [
    user?.user_id,
  ])
  assert.deepEqual(rows, [{ invited_by: iris.user_id }])
  const nora = await signIn(email)
  const { messages } = await nora.messages.list({ anchor: 'newest', num_before: 1, num_after: 0 })
  assert.equal(messages[0]?.content, '<p>Pruned of late.</p>')
})

test('accepting sends events about the invitation to administrators and about the user to everyone', async () => {
  const { email, path } = await invited()
  const event_types = ['invites_changed', 'realm_user']
  const events = await collectEvents(world, { owner, iris }, () => submitRegistration(world, path), {
    event_types,
  })

  const types = (name: string) => events[name]?.map(({ type }) => type).toSorted()
  assert.deepEqual(types('owner'), ['invites_changed', 'realm_user'])
  assert.deepEqual(types('iris'), ['realm_user'])
  assert.ok(!(await owner.invitations.list()).invites.some((invitation) => invitation.email === email))
})

test('after an invitation is accepted, the state and events of every client agree', async () => {
  const gus = await world.person('gus', 'guest')
  const vault = await world.stream('vault', { members: [owner, iris], invite_only: true })
  const { path } = await invited(iris, { invite_as: 600, stream_ids: [garden.stream_id, vault.stream_id] })

  await expectSameState(world, { owner, iris, gus }, () => submitRegistration(world, path))
})

test('a confirmation link works once and invalidates all other links for the same address', async () => {
  const { email, path } = await invited()
  await owner.invitations.send({ invitee_emails: email.toLowerCase(), stream_ids: [garden.stream_id] })
  const other = await findLink(mail, email.toLowerCase())
  assert.equal((await submitRegistration(world, path)).status, 303)

  for (const used of [path, other]) {
    assert.equal((await open(used)).status, 404)
    assert.equal((await submitRegistration(world, used)).status, 404)
  }
  assert.ok(
    !(await owner.invitations.list()).invites.some((invitation) => invitation.email === email.toLowerCase()),
  )
})

/** Changes that make a link invalid before it is used. */
const ends: Record<
  string,
  (invitation: { id: InvitationId; email: string; by: Person }) => Promise<unknown>
> = {
  'it was revoked': ({ id, by }) => by.invitations.revoke({ invite_id: id }),
  'ten days have passed': ({ id }) =>
    world.database.query("update invitation set invited_at = now() - interval '10 days' where id = $1", [id]),
  'the inviter was deactivated': ({ by }) => owner.users.deactivate({ user_id: by.user_id }),
  'the inviter became a guest': ({ by }) => owner.users.update({ user_id: by.user_id, role: 600 }),
  'the organization was deactivated': () => setOrganizationRules(world, 'deactivated_at = now()'),
  'addresses were restricted to domains': () =>
    setOrganizationRules(world, 'emails_restricted_to_domains = true'),
  'someone took the address': ({ email }) =>
    owner.users.create({ email, full_name: 'Taken Already', password: goodPassword }),
}
for (const [reason, happens] of Object.entries(ends)) {
  test(`a confirmation link is invalid after ${reason}`, async () => {
    const by = await world.person(`inviter${count++}`)
    const { id, email, path } = await invited(by)

    await happens({ id, email, by })
    const responses = [await open(path), await submitRegistration(world, path)]

    await setOrganizationRules(world, 'deactivated_at = null, emails_restricted_to_domains = false')
    for (const { status } of responses) assert.ok(status === 404 || status === 409, String(status))
    assert.notEqual((await findUser(email))?.full_name, 'Nora New')
  })
}

test('an invitation for administrators is invalid when its inviter is no longer an administrator', async () => {
  const ada = await world.person('ada', 'administrator')
  const asAdministrator = await invited(ada, { invite_as: 200 })
  const asMember = await invited(ada)
  await owner.users.update({ user_id: ada.user_id, role: 400 })

  assert.equal((await submitRegistration(world, asAdministrator.path)).status, 404)
  assert.equal((await submitRegistration(world, asMember.path)).status, 303)
})

test('altered keys and keys of another organization are refused', async () => {
  const { path } = await invited()
  await world.addOrganization('hill')
  const tampered = path.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'))
  const wrong = [tampered, `${path}x`, path.slice(0, -1), '/accounts/do_confirm/%00', path.toUpperCase()]
  for (const path of wrong) assert.equal((await submitRegistration(world, path)).status, 404, path)
  const key = path.split('/').at(-1)
  assert.equal((await open(`/join/${key}/`)).status, 404)
  const elsewhere = fetchAt(hostOf('hill'))
  for (const method of ['GET', 'POST'])
    assert.equal((await elsewhere(`${world.nodes.a.url}${path}`, { method, headers: ownPage })).status, 404)
  assert.equal((await submitRegistration(world, path)).status, 303)
})

test('the sign-up form shows problems, keeps valid values and escapes HTML', async () => {
  const { path } = await invited()
  const full_name = '<script>alert(1)</script>'

  const response = await submitRegistration(world, path, { full_name, password: 'abc' })

  assert.equal(response.status, 400)
  assert.match(response.text, /role="alert" id="full_name-problem">Use a name without control characters/)
  assert.match(response.text, /id="password-problem">Choose a longer/)
  assert.ok(!response.text.includes('<script') && !response.text.includes('value="abc"'))
  assert.equal((await submitRegistration(world, path, { full_name: 'x' })).status, 400)
  const weak = await submitRegistration(world, path, { password: 'abc' })
  assert.match(/<input[^>]* autofocus/.exec(weak.text)?.[0] ?? '', /name="password"/)
  assert.equal((await submitRegistration(world, path)).status, 303)
})

test('sign-up pages forbid framing, caching and referrers to other sites', async () => {
  const { path } = await invited()
  for (const { headers } of [await open(path), await open('/join/nothing/'), await open('/register/')]) {
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('referrer-policy'), 'same-origin')
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
  }
  assert.ok(!world.log.text.includes(path.split('/').at(-1) ?? ''))
})

test('e-mails never contain the host of a forged request', async () => {
  const { invite_link } = await owner.invitations.createLink({})
  const email = `new${count++}@elsewhere.example`
  const ask = (path: string) =>
    fetchAt('evil.example')(`${world.nodes.a.url}${path}`, {
      method: 'POST',
      headers: ownPage,
      body: new URLSearchParams({ email }),
    })
  await setOrganizationRules(world, 'invite_required = false')
  for (const path of [new URL(invite_link).pathname, '/register/'])
    assert.notEqual((await ask(path)).status, 200)
  await setOrganizationRules(world, 'invite_required = true')
  assert.ok(!mail.emails.some(({ text }) => text.includes('evil')))
})

test('archived streams and streams that the inviter cannot access are skipped', async () => {
  const [gone, closing] = [await world.stream('gone'), await world.stream('closing')]
  const streams = { stream_ids: [gone.stream_id, closing.stream_id, garden.stream_id] }
  const { email, path } = await invited(iris, streams)
  const none = await invited(iris, { stream_ids: [gone.stream_id] })
  await owner.streams.archive({ stream_id: gone.stream_id })
  await owner.streams.update({ stream_id: closing.stream_id, is_private: true })

  await submitRegistration(world, path)
  await submitRegistration(world, none.path)

  assert.deepEqual(await streamsOf(await signIn(email)), ['garden'])
  // No stream of the invitation is left, so the user is subscribed to the default streams.
  assert.deepEqual(await streamsOf(await signIn(none.email)), ['pond'])
})

test('a new user can choose groups of default streams', async () => {
  await world.stream('bees')
  const group = { group_name: 'Keepers', description: 'Of bees & hives', stream_names: ['bees'] }
  const { id } = await owner.defaultStreams.createGroup(group)
  await owner.defaultStreams.createGroup({ group_name: 'Empty', description: '', stream_names: [] })
  const { email, path } = await invited()

  const page = await open(path)
  assert.match(page.text, /Keepers<\/span><span [^>]*>Of bees &#38; hives/)
  assert.ok(!page.text.includes('Empty'))
  await submitRegistration(world, path, { [`group_${id}`]: 'on', group_999999: 'on', group_x: 'on' })

  assert.deepEqual(await streamsOf(await signIn(email)), ['bees', 'garden'])
})

test('a guest is subscribed only to streams of the invitation, and cannot choose groups', async () => {
  const vault = await world.stream('hidden vault', { members: [owner, iris], invite_only: true })
  const description = 'Of secrets'
  const group = { group_name: 'Wardens', description, stream_names: [vault.name] }
  const { id } = await owner.defaultStreams.createGroup(group)
  const streamIds = [garden.stream_id, vault.stream_id]
  const partlyOpen = await invited(iris, { invite_as: 600, stream_ids: streamIds })
  const closed = await invited(iris, { invite_as: 600, stream_ids: [vault.stream_id] })
  await iris.subscriptions.unsubscribe({ subscriptions: [vault.name] })

  const page = await open(closed.path)
  assert.equal(page.status, 200)
  assert.ok(!page.text.includes('Wardens') && !page.text.includes(description))
  await submitRegistration(world, partlyOpen.path, { [`group_${id}`]: 'on' })
  await submitRegistration(world, closed.path, { [`group_${id}`]: 'on' })

  assert.deepEqual(await streamsOf(await signIn(partlyOpen.email)), ['garden'])
  assert.deepEqual(await streamsOf(await signIn(closed.email)), [])
})
