import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, startWorld } from '@oxbow/testkit'
import { submitRegistration } from '../../test/joining.ts'

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

test('a server without e-mail refuses to create invitation links', async () => {
  await using quiet = await startWorld()

  await assert.rejects(quiet.owner.invitations.createLink({}), {
    status: 400,
    message: 'This server cannot send e-mail yet; ask its administrator to set OXBOW_SMTP_URL.',
  })
  assert.deepEqual((await quiet.owner.invitations.list()).invites, [])
})
