import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type InvitationId, Role } from '@oxbow/contract'
import { eventually, request, startMailServer, startWorld } from '@oxbow/testkit'
import { findLink, ownPage, submitRegistration } from '@oxbow/testkit/calls/joining'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const config = {
  smtp_url: mail.url,
  external_url: 'http://garden.example',
  terms_url: 'https://garden.example/terms',
  invites_per_day: 20,
}
const world = await startWorld({ config })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const garden = await world.stream('garden')
const pond = await world.stream('pond')
await owner.defaultStreams.add({ stream_id: pond.stream_id })
const members = async () => (await owner.users.list()).members

let count = 0
const someAddress = () => `new${count++}@elsewhere.example`
const ask = (path: string, email: string, headers = {}) =>
  request(world.nodes.b.url, { method: 'POST', path, form: { email }, headers: { ...ownPage, ...headers } })
const accepted = { terms: 'on' }
const emailsTo = (address: string) => mail.emails.filter(({ to }) => to === address)

async function makeLink(params: Parameters<typeof owner.invitations.createLink>[0] = {}) {
  const { invite_link } = await owner.invitations.createLink(params)
  const { invites } = await owner.invitations.list()
  const id = invites.find(({ link_url }) => link_url === invite_link)?.id as InvitationId
  return { id, path: new URL(invite_link).pathname }
}

test('several people join through one invitation link, each with a confirmed address', async () => {
  const { path } = await makeLink({ stream_ids: [garden.stream_id], invite_as: 600 })
  const page = await request(world.nodes.a.url, { path })
  assert.match(page.text, /<h1>Join The Garden<\/h1>/)
  for (const email of [someAddress(), someAddress()]) {
    assert.equal((await ask(path, ` ${email} `)).status, 200)
    const link = await findLink(mail, email)
    assert.equal((await submitRegistration(world, link, accepted)).status, 303)
    assert.equal((await submitRegistration(world, link, accepted)).status, 404)

    const user = (await members()).find((member) => member.email === email)
    assert.equal(user?.is_guest, true)
    const { subscribers } = await owner.streams.members({ stream_id: garden.stream_id })
    assert.ok(user && subscribers.includes(user.user_id))
  }
})

test('an invitation link without streams subscribes new users and guests to the default streams', async () => {
  for (const invite_as of [Role.member, Role.guest]) {
    const { path } = await makeLink({ invite_as })
    const email = someAddress()
    await ask(path, email)
    await submitRegistration(world, await findLink(mail, email), accepted)

    const user = (await members()).find((member) => member.email === email)
    const { subscribers } = await owner.streams.members({ stream_id: pond.stream_id })
    assert.ok(user && subscribers.includes(user.user_id))
  }
})

test('a sign-up cannot be completed after its invitation link was revoked or has expired', async () => {
  for (const end of [
    (id: InvitationId) => owner.invitations.revokeLink({ invite_id: id }),
    (id: InvitationId) =>
      world.database.query("update invitation set invited_at = now() - interval '10 days' where id = $1", [
        id,
      ]),
  ]) {
    const { id, path } = await makeLink()
    const email = someAddress()
    await ask(path, email)
    const link = await findLink(mail, email)
    await end(id)

    assert.equal((await ask(path, someAddress())).status, 404)
    assert.equal((await submitRegistration(world, link, accepted)).status, 404)
    assert.ok(!(await members()).some((member) => member.email === email))
  }
})

test('a confirmation link expires after one day', async () => {
  const { path } = await makeLink()
  const email = someAddress()
  await ask(path, email)
  const link = await findLink(mail, email)
  await world.database.query("update sign_up set created_at = now() - interval '1 day' where email = $1", [
    email,
  ])

  assert.equal((await submitRegistration(world, link, accepted)).status, 404)
})

test('signing up without invitation works only in open organizations', async () => {
  const email = someAddress()
  assert.equal((await ask('/register/', email)).status, 404)
  await setOrganizationRules(world, 'invite_required = false')
  assert.equal((await request(world.nodes.a.url, { path: '/register/' })).status, 200)
  assert.equal((await ask('/register/', email)).status, 200)
  const link = await findLink(mail, email)

  await setOrganizationRules(world, 'invite_required = true')
  assert.equal((await submitRegistration(world, link, accepted)).status, 404)
  await setOrganizationRules(world, 'invite_required = false')
  assert.equal((await submitRegistration(world, link, accepted)).status, 303)
  await setOrganizationRules(world, 'invite_required = true')
  const user = (await members()).find((member) => member.email === email)
  assert.deepEqual([user?.is_admin, user?.is_guest], [false, false])
})

test('only the e-mail reveals whether an address has an account', async () => {
  const { path } = await makeLink()
  const someone = await world.person('someone')
  const stranger = someAddress()

  const [toAccount, toStranger] = [await ask(path, someone.email), await ask(path, stranger)]

  assert.equal(toAccount.status, toStranger.status)
  assert.equal(toAccount.text.replace(someone.email, ''), toStranger.text.replace(stranger, ''))
  const { text } = await mail.waitForEmail(someone.email)
  assert.match(text, /already has an account there/)
  assert.ok(!text.includes('do_confirm'))
})

test('the sign-up page applies the rules for e-mail addresses', async () => {
  const { path } = await makeLink()
  assert.equal((await ask(path, 'nonsense')).status, 400)
  assert.equal((await ask(path, 'x@mailinator.com')).status, 400)
  await setOrganizationRules(world, 'emails_restricted_to_domains = true')
  const outside = await ask(path, someAddress())
  await setOrganizationRules(world, 'emails_restricted_to_domains = false')
  assert.equal(outside.status, 400)
  assert.match(outside.text, /id="email-problem">This organization accepts only addresses of certain domains/)
})

test('sign-up e-mails never contain the Host header', async () => {
  const { path } = await makeLink()
  const email = someAddress()
  const response = await request(world.nodes.a.url, { path })
  assert.equal(response.status, 200)
  await setOrganizationRules(world, 'invite_required = false')
  // Sends requests to an IP address, as load balancers do.
  await ask('/register/', email)
  await setOrganizationRules(world, 'invite_required = true')
  const { text } = await mail.waitForEmail(email)
  assert.match(text, /http:\/\/garden\.example\/accounts\/do_confirm/)
})

test('the sign-up form requires that configured terms are accepted, which a query parameter cannot do', async () => {
  const { path } = await makeLink()
  const email = someAddress()
  await ask(path, email)
  const link = await findLink(mail, email)
  assert.match(
    (await request(world.nodes.a.url, { path: link })).text,
    /href="https:\/\/garden\.example\/terms"/,
  )

  const refused = await submitRegistration(world, link)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /To join, accept the terms\./)
  const acceptedByUrl = await submitRegistration(world, `${link}?terms=1`)
  assert.deepEqual([acceptedByUrl.status, acceptedByUrl.headers.has('set-cookie')], [400, false])
  assert.equal((await submitRegistration(world, link, accepted)).status, 303)
})

test('sign-up e-mails are limited per address and organization', async () => {
  const { path } = await makeLink()
  await world.database.query('delete from sign_up')
  const email = someAddress()
  for (let times = 0; times < 5; times++) assert.equal((await ask(path, email)).status, 200)
  await eventually(() => emailsTo(email).length === 3)

  const others = await Promise.all(Array.from({ length: 19 }, () => ask(path, someAddress())))
  const statuses = others.map(({ status }) => status)
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.includes(429)], [17, true])
  assert.equal(emailsTo(email).length, 3)
  // The limit applies per invitation link, so a sign-up through another link is still mailed.
  await world.database.query('delete from sign_up where email <> $1', [email])
  await ask((await makeLink()).path, email)
  await eventually(() => emailsTo(email).length === 4)
})
