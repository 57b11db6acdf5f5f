import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { InvitationId } from '@oxbow/contract'
import { startMailServer, startWorld } from '@oxbow/testkit'
import { findLink, submitRegistration } from '@oxbow/testkit/calls/joining'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const garden = await world.stream('garden')

let count = 0
async function invited() {
  const email = `racer${count++}@elsewhere.example`
  await owner.invitations.send({ invitee_emails: email, stream_ids: [garden.stream_id] })
  const { invites } = await owner.invitations.list()
  const id = invites.find((invitation) => invitation.email === email)?.id as InvitationId
  return { id, email, path: await findLink(mail, email) }
}
const accountsOf = async (email: string) =>
  (await owner.users.list()).members.filter((member) => member.email === email).length

test('concurrent sign-ups with one key on two nodes create one account', async () => {
  for (let round = 0; round < 3; round++) {
    const { email, path } = await invited()
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        submitRegistration(world, path, {}, index % 2 === 0 ? 'a' : 'b'),
      ),
    )

    const [first, ...others] = responses.map(({ status }) => status).toSorted()
    assert.equal(first, 303)
    // A request that found the link still open, and then the account, answers 409.
    for (const status of others) assert.ok(status === 404 || status === 409, `status ${status}`)
    assert.equal(await accountsOf(email), 1)
  }
})

test('accepting two invitations of one address concurrently creates one account', async () => {
  const first = await invited()
  await owner.invitations.send({ invitee_emails: first.email.toUpperCase(), stream_ids: [garden.stream_id] })
  const { to } = await mail.waitForEmail(first.email.toUpperCase().replace(/@.*/, '@elsewhere.example'))
  const paths = [first.path, await findLink(mail, to)]

  const responses = await Promise.all(
    paths.map((path, index) => submitRegistration(world, path, {}, index === 0 ? 'a' : 'b')),
  )

  const statuses = responses.map(({ status }) => status).toSorted()
  assert.equal(statuses[0], 303)
  assert.ok(statuses[1] === 404 || statuses[1] === 409)
})

test('an invitation is either revoked or accepted, never both', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, email, path } = await invited()
    const [accepted, revoked] = await Promise.all([
      submitRegistration(world, path),
      owner.invitations.revoke({ invite_id: id }).then(
        () => true,
        () => false,
      ),
    ])

    assert.notEqual(accepted.status === 303, revoked)
    assert.equal(await accountsOf(email), revoked ? 0 : 1)
  }
})
