import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InvitationId, OrganizationId } from '@oxbow/contract'
import { eventually, type Person, startMailServer, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { findLink } from '@oxbow/testkit/calls/joining'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { call, refusal } from '@oxbow/testkit/calls/requests'
import { deleteExpiredInvitations } from './delete-expired-invitations.ts'
import { mailInvitation } from './invitation-email.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const ada = await world.person('ada', 'administrator')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const garden = await world.stream('garden', { members: [owner, iris, otto] })
const vault = await world.stream('vault', { by: iris, members: [iris], invite_only: true })

let count = 0
const someAddress = () => `guest${count++}@elsewhere.example`
const streams = `[${garden.stream_id}]`

/** Sends a request without the SDK. */
const postInvitation = (by: Person, params: Record<string, string>) =>
  call(world, by, 'POST /invites', { stream_ids: streams, ...params })

async function invite(by: Person, invite_as = 400): Promise<{ id: InvitationId; email: string }> {
  const email = someAddress()
  await by.invitations.send({ invitee_emails: email, stream_ids: [garden.stream_id], invite_as })
  const { invites } = await owner.invitations.list()
  const made = invites.find((invitation) => invitation.email === email)
  return { id: made?.id as InvitationId, email }
}

const adminOnly = refusal('Must be an organization administrator', { code: 'UNAUTHORIZED_PRINCIPAL' })
const ownerOnly = refusal('Must be an organization owner', { code: 'UNAUTHORIZED_PRINCIPAL' })
const notAdmin = refusal('Must be an organization administrator')
const none = refusal('No such invitation')
const failed = (msg: string, errors: unknown[] = [], sent_invitations = false) =>
  refusal(msg, { code: 'INVITATION_FAILED', errors, sent_invitations })

test('an invitation is listed for its inviter and administrators, and its e-mail has a link', async () => {
  const before = Math.floor(Date.now() / 1_000) - 1
  const { id, email } = await invite(iris)

  const shown = (await iris.invitations.list()).invites.find((invitation) => invitation.id === id)
  const { invited = 0, ...rest } = shown ?? {}
  assert.deepEqual(rest, { id, email, invited_by_user_id: iris.user_id, invited_as: 400, is_multiuse: false })
  assert.ok(invited >= before && invited <= before + 60)
  assert.ok((await ada.invitations.list()).invites.some((invitation) => invitation.id === id))
  assert.ok(!(await otto.invitations.list()).invites.some((invitation) => invitation.id === id))
  assert.match(await findLink(mail, email), /^\/accounts\/do_confirm\/[a-z0-9]{24}$/)
  const { text } = await mail.waitForEmail(email)
  assert.match(text, /Subject: Iris Gardener invites you to The Garden/)
})

test('several addresses are invited at once, without duplicates', async () => {
  const [a, b] = [someAddress(), someAddress()]
  await iris.invitations.send({
    invitee_emails: `Ann Other <${a}>,\n${b}, ${b.toUpperCase()}`,
    stream_ids: [garden.stream_id, vault.stream_id, garden.stream_id],
  })
  const { invites } = await iris.invitations.list()
  const emails = invites.map(({ email }) => email?.toLowerCase())
  for (const address of [a, b]) assert.equal(emails.filter((email) => email === address).length, 1)
  for (const address of [a, b]) await mail.waitForEmail(address)
})

test('invalid invitation requests are refused with the first error in the order of the protocol', async () => {
  const bad = { invitee_emails: ' ,', stream_ids: '[]', invite_as: '300' }
  await setOrganizationRules(world, 'invite_by_admins_only = true')
  assert.deepEqual(await postInvitation(iris, bad), adminOnly)
  assert.deepEqual(await postInvitation(ada, bad), refusal('Must be invited as an valid type of user'))
  await setOrganizationRules(world, 'invite_by_admins_only = false')
  assert.deepEqual(await postInvitation(iris, bad), refusal('Must be invited as an valid type of user'))
  assert.deepEqual(await postInvitation(ada, { ...bad, invite_as: '100' }), ownerOnly)
  assert.deepEqual(await postInvitation(iris, { ...bad, invite_as: '100' }), ownerOnly)
  assert.deepEqual(await postInvitation(iris, { ...bad, invite_as: '200' }), notAdmin)
  const noAddress = refusal('You must specify at least one email address.')
  for (const invite_as of ['400', '600'])
    assert.deepEqual(await postInvitation(iris, { ...bad, invite_as }), noAddress)
  const missing = { invitee_emails: 'x', invite_as: '400' }
  assert.deepEqual(
    await postInvitation(iris, { ...missing, stream_ids: '[]' }),
    refusal('You must specify at least one stream for invitees to join.'),
  )
  const unknown = (id: number) => refusal(`Stream does not exist with id: ${id}. No invites were sent.`)
  for (const id of [99_999, vault.stream_id])
    assert.deepEqual(
      await postInvitation(otto, { ...missing, stream_ids: `[${garden.stream_id},${id}]` }),
      unknown(id),
    )
})

test('an invitation request with an invalid address names it in the error and invites nobody', async () => {
  const gone = await world.person('gone')
  await owner.users.deactivate({ user_id: gone.user_id })
  const fine = someAddress()
  const emailsOf = (...addresses: string[]) => ({ invitee_emails: addresses.join() })
  const invalid = "Some emails did not validate, so we didn't send any invitations."
  assert.deepEqual(
    await postInvitation(iris, emailsOf('not an address', fine, otto.email, 'x@mailinator.com')),
    failed(invalid, [
      ['not an address', 'Invalid address.', false],
      ['x@mailinator.com', 'Please use your real email address.', false],
      [otto.email, 'Already has an account.', false],
    ]),
  )
  await world.database.query("insert into organization_domain values ($1, 'garden.example', false)", [
    world.organization_id,
  ])
  await setOrganizationRules(world, 'emails_restricted_to_domains = true')
  assert.deepEqual(
    await postInvitation(iris, emailsOf('a+b@garden.example', fine)),
    failed(invalid, [
      ['a+b@garden.example', 'Email addresses containing + are not allowed.', false],
      [fine, 'Outside your domain.', false],
    ]),
  )
  await setOrganizationRules(world, 'emails_restricted_to_domains = false')
  assert.deepEqual(
    await postInvitation(
      iris,
      emailsOf(otto.email.toUpperCase(), gone.email, 'notification-bot@oxbow.invalid'),
    ),
    failed("We weren't able to invite anyone.", [
      ['OTTO@garden.example', 'Already has an account.', false],
      [gone.email, 'Account has been deactivated.', true],
      ['notification-bot@oxbow.invalid', 'Reserved for system bots.', false],
    ]),
  )
  assert.ok(!(await owner.invitations.list()).invites.some(({ email }) => email === fine))
})

test('addresses with an account are skipped, the others are invited', async () => {
  const fine = someAddress()
  const invited = iris.invitations.send({
    invitee_emails: `${otto.email},${fine}`,
    stream_ids: [garden.stream_id],
  })
  await assert.rejects(
    invited,
    failed(
      "Some of those addresses are already using Oxbow, so we didn't send them an invitation. We did send invitations to everyone else!",
      [[otto.email, 'Already has an account.', false]],
      true,
    ),
  )
  await mail.waitForEmail(fine)
})

test('in an open organization new members cannot invite others, and new administrators can', async () => {
  await setOrganizationRules(world, 'invite_required = false')
  const tooNew = failed(
    'Your account is too new to send invites for this organization. Ask an organization admin, or a more experienced user.',
  )
  assert.deepEqual(await postInvitation(iris, { invitee_emails: 'nonsense' }), tooNew)
  await invite(ada)
  await world.database.query(
    "update user_account set date_joined = now() - interval '73 hours' where id = $1",
    [iris.user_id],
  )
  await invite(iris)
  await setOrganizationRules(world, 'invite_required = true')
})

test('only administrators get events about changed invitations', async () => {
  const admin = await world.bot('admin', owner)
  await owner.users.update({ user_id: admin.user_id, role: 200 })
  const cast = { owner, ada, admin, iris, otto, gus, robin }
  const changes: [string, () => Promise<unknown>, number][] = []
  let id: InvitationId
  changes.push(['sent', async () => ({ id } = await invite(iris)), 1])
  changes.push(['sent again', () => iris.invitations.resend({ invite_id: id }), 0])
  changes.push(['revoked', () => iris.invitations.revoke({ invite_id: id }), 1])
  changes.push(['a link', () => ada.invitations.createLink({}), 1])
  const partly = { invitee_emails: `${otto.email},${someAddress()}`, stream_ids: [garden.stream_id] }
  changes.push(['partly', () => iris.invitations.send(partly).catch(() => {}), 1])
  const refused = { invitee_emails: otto.email, stream_ids: [garden.stream_id] }
  changes.push(['refused', () => iris.invitations.send(refused).catch(() => {}), 0])
  for (const [what, change, times] of changes) {
    const events = await collectEvents(world, cast, change, { event_types: ['invites_changed'] })
    for (const [name, list] of Object.entries(events)) {
      const expected = ['owner', 'ada', 'admin'].includes(name) ? times : 0
      assert.deepEqual(
        list.map(({ type }) => type),
        Array.from({ length: expected }, () => 'invites_changed'),
        `${what}: ${name}`,
      )
    }
  }
})

test('the inviter and administrators can revoke an invitation, but only owners one that grants the owner role', async () => {
  const revoke = (by: Person, invite_id: InvitationId) => by.on('b').invitations.revoke({ invite_id })
  const invitationByIris = await invite(iris)
  await assert.rejects(revoke(otto, invitationByIris.id), notAdmin)
  await revoke(iris, invitationByIris.id)
  await assert.rejects(revoke(iris, invitationByIris.id), none)
  await assert.rejects(iris.invitations.resend({ invite_id: invitationByIris.id }), none)
  await revoke(ada, (await invite(iris)).id)
  const asOwner = await invite(owner, 100)
  for (const by of [ada, iris]) await assert.rejects(revoke(by, asOwner.id), ownerOnly)
  await assert.rejects(ada.invitations.resend({ invite_id: asOwner.id }), ownerOnly)
  await revoke(owner, asOwner.id)
  await assert.rejects(revoke(owner, 999_999 as InvitationId), none)
})

test('a resent invitation has the same link and a longer validity', async () => {
  const { id, email } = await invite(iris)
  const link = await findLink(mail, email)
  await world.database.query("update invitation set invited_at = now() - interval '9 days' where id = $1", [
    id,
  ])

  const { timestamp } = await ada.invitations.resend({ invite_id: id })

  await eventually(() => mail.emails.filter(({ to }) => to === email).length === 2)
  assert.equal(await findLink(mail, email), link)
  const shown = (await iris.invitations.list()).invites.find((invitation) => invitation.id === id)
  assert.equal(shown?.invited, timestamp)
  assert.ok(Math.abs(timestamp - Date.now() / 1_000) < 60)
  await assert.rejects(otto.invitations.resend({ invite_id: id }), notAdmin)
})

test('administrators create and revoke invitation links, except links for owners, which require an owner', async () => {
  const link = /^http:\/\/localhost\/join\/[a-z0-9]{24}\/$/
  const make = (by: Person, params: Record<string, string> = {}) =>
    call(world, by, 'POST /invites/multiuse', params)
  assert.deepEqual(await make(iris), adminOnly)
  assert.deepEqual(await make(ada, { invite_as: '300' }), refusal('Must be invited as an valid type of user'))
  assert.deepEqual(await make(ada, { invite_as: '100' }), ownerOnly)
  for (const id of [vault.stream_id, 99_999])
    assert.deepEqual(
      await make(ada, { stream_ids: `[${id}]` }),
      refusal(`Invalid stream id ${id}. No invites were sent.`),
    )
  const made = await make(ada, { stream_ids: streams, invite_as: '600' })
  assert.match(String(made.body.invite_link), link)
  await make(owner, { invite_as: '100' })

  const linksOf = async (by: Person) =>
    (await by.on('b').invitations.list()).invites.filter((invitation) => invitation.is_multiuse)
  const shown = (await linksOf(ada)).find(({ link_url }) => link_url === made.body.invite_link)
  assert.deepEqual(shown, {
    id: shown?.id,
    invited: shown?.invited,
    invited_by_user_id: ada.user_id,
    invited_as: 600,
    is_multiuse: true,
    link_url: made.body.invite_link,
  })
  // Anyone who sees a link for owners could use it to become an owner.
  const asOwner = (await linksOf(owner)).find(({ invited_as }) => invited_as === 100)
  assert.ok(asOwner && (await linksOf(ada)).every(({ invited_as }) => invited_as !== 100))
  assert.deepEqual(await linksOf(iris), [])

  const revoke = (by: Person, invite_id = shown?.id) =>
    by.invitations.revokeLink({ invite_id: invite_id as InvitationId })
  await assert.rejects(revoke(iris), adminOnly)
  await assert.rejects(revoke(ada, asOwner.id), ownerOnly)
  await assert.rejects(ada.invitations.revoke({ invite_id: shown?.id as InvitationId }), none)
  await revoke(owner)
  await assert.rejects(revoke(owner), none)
  const single = await invite(iris)
  await assert.rejects(revoke(owner, single.id), none)
})

test('expired invitations, and invitations whose inviter lost the required role, are not listed', async () => {
  const old = await invite(iris)
  await world.database.query("update invitation set invited_at = now() - interval '10 days' where id = $1", [
    old.id,
  ])
  const leaver = await world.person('leaver', 'administrator')
  const invitationByLeaver = await invite(leaver)
  const asAdministrator = await invite(leaver, 200)
  const listed = async () => (await owner.invitations.list()).invites.map(({ id }) => id)

  assert.ok(!(await listed()).includes(old.id))
  await assert.rejects(iris.invitations.resend({ invite_id: old.id }), none)
  await owner.users.update({ user_id: leaver.user_id, role: 400 })
  assert.ok(
    (await listed()).includes(invitationByLeaver.id) && !(await listed()).includes(asAdministrator.id),
  )
  await owner.users.deactivate({ user_id: leaver.user_id })
  assert.ok(!(await listed()).includes(invitationByLeaver.id))
})

test('guests and bots cannot invite people', async () => {
  for (const [by, denial] of [
    [gus, refusal('Not allowed for guest users')],
    [robin, refusal('This endpoint does not accept bot requests.')],
  ] as const) {
    assert.deepEqual(await postInvitation(by, { invitee_emails: someAddress() }), denial)
    await assert.rejects(by.invitations.list(), denial)
  }
})

test('an invitation that is revoked before its e-mail is sent is not mailed', async () => {
  const { id, email } = await invite(iris)
  await mail.waitForEmail(email)
  await iris.invitations.revoke({ invite_id: id })
  const emailCount = mail.emails.length

  // Runs the job later than usual, as if the mail server had been unavailable.
  const organization_id = world.organization_id as OrganizationId
  await mailInvitation.run(world.nodes.a.app, { organization_id, id })

  assert.equal(mail.emails.length, emailCount)
})

test('the cleanup job deletes only old invitations', async () => {
  const [old, recent] = [await invite(iris), await invite(iris)]
  await world.database.query("update invitation set invited_at = now() - interval '10 days' where id = $1", [
    old.id,
  ])

  await deleteExpiredInvitations.run(world.nodes.a.app, {})

  const remaining = await world.database.query('select id::int from invitation where id in ($1, $2)', [
    old.id,
    recent.id,
  ])
  assert.deepEqual(remaining, [{ id: recent.id }])
})
