import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvitationId } from '@oxbow/contract'
import { type Person, startWorld } from '@oxbow/testkit'
import { refusal } from '@oxbow/testkit/calls/requests'

test('invitation e-mails of an organization are limited per day', async () => {
  await using small = await startWorld({ config: { invites_per_day: 3 } })
  const stream = await small.stream('pond')
  const send = (...addresses: string[]) =>
    small.owner.invitations.send({ invitee_emails: addresses.join(), stream_ids: [stream.stream_id] })
  const usedUp = refusal(
    'You do not have enough remaining invites. Please contact the operator of this server to have your limit raised. No invitations were sent.',
    { code: 'INVITATION_FAILED', errors: [], sent_invitations: false },
  )
  await assert.rejects(send('a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'), usedUp)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, index) => send(`at-once${index}@x.example`)),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3)

  const [first] = (await small.owner.invitations.list()).invites
  const invite_id = first?.id as InvitationId
  await assert.rejects(small.owner.invitations.resend({ invite_id }), usedUp)
  // Revoking an invitation does not undo its e-mail, so it still counts.
  await small.owner.invitations.revoke({ invite_id })
  await assert.rejects(send('e@x.example'), usedUp)
  await small.database.query("update invitation set invited_at = invited_at - interval '25 hours'")
  await send('e@x.example')
})

test('invitations to one address are limited per day, across all inviters', async () => {
  await using world = await startWorld({ config: { invitation_resends_per_day: 2 } })
  const { stream_id } = await world.stream('pond')
  const { owner } = world
  const ada = await world.person('ada', 'administrator')
  const send = (by: Person, ...addresses: string[]) =>
    by.invitations.send({ invitee_emails: addresses.join(), stream_ids: [stream_id] })
  const find = async (address: string) => {
    const invites = (await owner.invitations.list()).invites
    return invites.find((invitation) => 'email' in invitation && invitation.email === address)
      ?.id as InvitationId
  }
  /** Ways to send an address another invitation e-mail. */
  const ways: Record<string, (address: string) => Promise<unknown>> = {
    'resending it': async (address) => owner.invitations.resend({ invite_id: await find(address) }),
    'inviting again': (address) => send(owner, address),
    'inviting in other letters': (address) => send(owner, address.toUpperCase()),
    'inviting as another person': (address) => send(ada, address),
    'revoking it and inviting again': async (address) => {
      await owner.invitations.revoke({ invite_id: await find(address) })
      await send(owner, address)
    },
  }
  for (const [index, [how, again]] of Object.entries(ways).entries()) {
    const address = `reader${index}@x.example`
    await send(owner, address)
    for (let count = 0; count < 2; count++) await again(address)

    await assert.rejects(again(address), how)
    await assert.rejects(send(ada, address, 'other@x.example'), {
      errorName: 'SOME_NOT_INVITED',
    })
    await world.database.query("update invitation set invited_at = invited_at - interval '25 hours'")
    await send(owner, address)
  }
})
