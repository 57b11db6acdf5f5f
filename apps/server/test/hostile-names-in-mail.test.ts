import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InvitationId, OrganizationId } from '@oxbow/contract'
import { renderTopicLinks } from '@oxbow/markdown'
import { eventually, type ReceivedEmail, request, startMailServer, startWorld } from '@oxbow/testkit'
import { ownPage } from '@oxbow/testkit/calls/joining'
import { mailInvitation } from '../src/joining/invitations/invitation-email.ts'
import { findResetTarget } from '../src/joining/password-reset/find-target.ts'
import { requestPasswordReset } from '../src/joining/password-reset/request-reset.ts'
import { mailImportLinks } from '../src/operators/import-links.ts'

// Every e-mail of a server, with an inviter and an organization whose names are addresses and contain line breaks.

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => world[Symbol.asyncDispose]())
const { owner, database } = world
const { app } = world.nodes.a
const host = { subdomain: '', origin: 'http://localhost' }
const [iris, otto, gone] = await world.people('iris', 'otto', 'gone')
await owner.users.deactivate({ user_id: gone.user_id })

const garden = await world.stream('garden', { members: [owner, iris] })
const hostile = 'http://evil.example\r\nBcc: b@evil.example'
await database.query('update user_account set full_name = $1 where id = any($2)', [
  hostile,
  [iris.user_id, otto.user_id],
])
await database.query('update organization set name = $1 where id = $2', [hostile, world.organization_id])

const post = (path: string, form: Record<string, string> = {}) =>
  request(world.nodes.a.url, { method: 'POST', path, form, headers: ownPage })
const pathIn = ({ text }: ReceivedEmail) => /http:\/\/localhost(\/accounts\/\S+)/.exec(text)?.[1] ?? ''

async function ask(email: string): Promise<void> {
  const target = await findResetTarget(app, host)
  assert.ok(typeof target !== 'string')
  await requestPasswordReset(app, target, { email, address: '203.0.113.7', language: 'en' })
}

/** The e-mails by their subject, with the steps that send them. */
const kinds: Record<string, () => Promise<ReceivedEmail>> = {
  async 'invites you to'() {
    await iris.invitations.send({ invitee_emails: 'nora@elsewhere.example', stream_ids: [garden.stream_id] })
    return mail.waitForEmail('nora@elsewhere.example')
  },
  async 'invites you'() {
    await iris.invitations.send({ invitee_emails: 'taken@elsewhere.example', stream_ids: [garden.stream_id] })
    await mail.waitForEmail('taken@elsewhere.example')
    const sent = mail.emails.length
    const { invites } = await owner.invitations.list()
    const id = invites.find(({ email }) => email === 'taken@elsewhere.example')?.id as InvitationId
    const move = (email: string) =>
      database.query('update user_account set delivery_email = $1 where id = $2', [email, otto.user_id])
    await move('taken@elsewhere.example')
    await mailInvitation.run(app, { organization_id: world.organization_id as OrganizationId, id })
    await move(otto.email)
    return eventually(() => mail.emails[sent])
  },
  async Join() {
    const { invite_link } = await owner.invitations.createLink({})
    await post(new URL(invite_link).pathname, { email: 'nils@elsewhere.example' })
    return mail.waitForEmail('nils@elsewhere.example')
  },
  async 'Your account at'() {
    const { invite_link } = await owner.invitations.createLink({})
    await post(new URL(invite_link).pathname, { email: otto.email })
    return mail.waitForEmail(otto.email)
  },
  async 'Set a new password for'() {
    await ask(iris.email)
    return mail.waitForEmail(iris.email)
  },
  async 'Your account'() {
    await ask(gone.email)
    return mail.waitForEmail(gone.email)
  },
  async 'was changed'() {
    const sent = mail.emails.length
    await post(pathIn(await mail.waitForEmail(iris.email)), { password: 'heron lake 77 reeds' })
    return eventually(() => mail.emails[sent])
  },
  async 'Confirm your new address for'() {
    await iris.users.updateSettings({ email: 'iris.new@garden.example' })
    return mail.waitForEmail('iris.new@garden.example')
  },
  async 'Your address for'() {
    const sent = mail.emails.length
    await post(pathIn(await mail.waitForEmail('iris.new@garden.example')))
    return eventually(() => mail.emails[sent])
  },
  async 'Your organizations at'() {
    await post('/accounts/go', { email: owner.email })
    return mail.waitForEmail(owner.email)
  },
  async 'has moved'() {
    const sent = mail.emails.length
    await mailImportLinks(app, host)
    return eventually(() => mail.emails[sent])
  },
}

for (const [subject, send] of Object.entries(kinds)) {
  test(`hostile names in the e-mail “${subject}” are neither links nor lines`, async () => {
    const { text } = await send()
    // A long subject is folded.
    const unfolded = text.replaceAll('\r\n ', ' ')

    assert.match(unfolded, new RegExp(`^Subject: .*${subject}`, 'm'))
    assert.match(text, /evil\. example/)
    assert.doesNotMatch(text, /^\s*(?:Bcc|b @|www)/m)
    assert.deepEqual(
      renderTopicLinks(text.replace(/\s+/g, ' ')).filter((link) => link.includes('evil')),
      [],
      text,
    )
  })
}
