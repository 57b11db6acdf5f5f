import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, request, startWorld } from '@oxbow/testkit'
import { ownPage, submitRegistration } from '@oxbow/testkit/calls/joining'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'

test('a server without e-mail shows the link to the inviter', async () => {
  await using quiet = await startWorld()
  const boss = await quiet.person('boss', 'administrator')
  const stream = await quiet.stream('pond')
  const send = (invitee_emails: string, invite_as: number) =>
    quiet.owner.invitations.send({ invitee_emails, invite_as, stream_ids: [stream.stream_id] })
  await send('new@x.example', 400)
  await send('chief@x.example', 100)

  const links = async (by: Person) =>
    (await by.invitations.list()).invites.map(({ email, link_url }) => [
      email,
      /\/accounts\/do_confirm\//.test(link_url ?? ''),
    ])
  assert.deepEqual(await links(quiet.owner), [
    ['new@x.example', true],
    ['chief@x.example', true],
  ])
  assert.deepEqual(await links(boss), [
    ['new@x.example', true],
    ['chief@x.example', false],
  ])

  const [first] = (await quiet.owner.invitations.list()).invites
  const joined = await submitRegistration(quiet, new URL(first?.link_url ?? '').pathname)
  assert.equal(joined.status, 303)
})

test('people join by an invitation link of a server without e-mail, without a confirmed address', async () => {
  await using quiet = await startWorld()
  const used = await quiet.person('used')
  const pond = await quiet.stream('pond')
  const { invite_link } = await quiet.owner.invitations.createLink({
    invite_as: 600,
    stream_ids: [pond.stream_id],
  })
  const path = new URL(invite_link).pathname
  const enter = (email: string) =>
    request(quiet.nodes.b.url, { method: 'POST', path, form: { email }, headers: ownPage })

  const page = await request(quiet.nodes.a.url, { path })
  assert.match(page.text, /Enter your e-mail address\. You will sign in with it\./)
  assert.deepEqual((await enter('nowhere')).status, 400)
  const email = 'new@garden.example'
  const { status, headers } = await enter(email)
  assert.equal(status, 303)
  const form = headers.get('location') ?? ''
  assert.match(form, /^\/accounts\/do_confirm\/\w+$/)
  assert.match(
    (await request(quiet.nodes.a.url, { path: form })).text,
    /value="new@garden\.example"[^>]*readonly/,
  )
  assert.equal((await submitRegistration(quiet, form)).status, 303)
  const joined = (await quiet.owner.users.list()).members.find((member) => member.email === email)
  assert.equal(joined?.is_guest, true)
  const { subscribers } = await quiet.owner.streams.members({ stream_id: pond.stream_id })
  assert.ok(joined && subscribers.includes(joined.user_id))

  // The link does not tell who has an account, although the owner sees addresses.
  const known = (await enter(used.email)).headers.get('location') ?? ''
  const opened = await request(quiet.nodes.a.url, { path: known })
  assert.equal(opened.status, 200)
  const refused = await submitRegistration(quiet, known)
  assert.deepEqual([refused.status, refused.text], [404, (await submitRegistration(quiet, form)).text])
})

test('a server without e-mail accepts nobody without an invitation', async () => {
  await using quiet = await startWorld()
  await setOrganizationRules(quiet, 'invite_required = false')
  const answer = await request(quiet.nodes.a.url, {
    method: 'POST',
    path: '/register/',
    form: { email: 'new@garden.example' },
    headers: ownPage,
  })
  assert.equal(answer.status, 503)
})

test('the link of an invitation does not reveal whether its address has an account, where addresses are hidden', async () => {
  await using quiet = await startWorld()
  const [iris, used] = await quiet.people('iris', 'used')
  const stream = await quiet.stream('pond')
  for (const email_address_visibility of [3, 4]) {
    await quiet.owner.organization.update({ email_address_visibility })
    await quiet.settled()
    const free = `free${email_address_visibility}@garden.example`
    const linkFor = async (email: string) => {
      await iris.invitations.send({ invitee_emails: email, stream_ids: [stream.stream_id] })
      const { invites } = await iris.invitations.list()
      return new URL(invites.find((invitation) => invitation.email === email)?.link_url ?? '').pathname
    }
    const links = { [used.email]: await linkFor(used.email), [free]: await linkFor(free) }
    const answersOf = async (email: string) => {
      const path = links[email] ?? ''
      const answers = [
        await request(quiet.nodes.a.url, { path }),
        await submitRegistration(quiet, path, { password: 'abc' }),
      ]
      return answers.map(({ status, text }) => [status, text.replaceAll(email, 'ADDRESS')])
    }

    const answers = await answersOf(free)
    assert.deepEqual(
      answers.map(([status]) => status),
      [200, 400],
    )
    assert.deepEqual(await answersOf(used.email), answers)
    const refused = await submitRegistration(quiet, links[used.email] ?? '')
    assert.equal((await submitRegistration(quiet, links[free] ?? '')).status, 303)
    const usedUp = await submitRegistration(quiet, links[free] ?? '')
    assert.deepEqual([refused.status, refused.text], [404, usedUp.text])
  }
})

test('the link of an invitation by an administrator who sees addresses says that its address has an account', async () => {
  await using quiet = await startWorld()
  const boss = await quiet.person('boss', 'administrator')
  const used = await quiet.person('used')
  const stream = await quiet.stream('pond')
  const setVisibility = async (email_address_visibility: number) => {
    await quiet.owner.organization.update({ email_address_visibility })
    await quiet.settled()
  }
  // Only while the administrator does not see addresses can an address with an account be invited.
  await setVisibility(4)
  await boss.invitations.send({ invitee_emails: used.email, stream_ids: [stream.stream_id] })
  const [invitation] = (await boss.invitations.list()).invites
  const path = new URL(invitation?.link_url ?? '').pathname
  const open = () => request(quiet.nodes.a.url, { path })
  assert.equal((await open()).status, 200)

  await setVisibility(3)
  for (const { status, text } of [await open(), await submitRegistration(quiet, path)]) {
    assert.equal(status, 409)
    assert.match(text, /Your address already has an account/)
  }
})
