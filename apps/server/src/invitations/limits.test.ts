import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InvitationId } from '@oxbow/contract'
import { startWorld } from '@oxbow/testkit'
import { refusal } from '../../test/refusal.ts'

test('an organization sends so many letters in a day, together', async () => {
  await using small = await startWorld({ config: { invites_per_day: 3 } })
  const stream = await small.stream('pond')
  const send = (...addresses: string[]) =>
    small.owner.invitations.send({ invitee_emails: addresses.join(), stream_ids: [stream.stream_id] })
  const usedUp = refusal(
    'You do not have enough remaining invites. Please contact whoever runs this server to have your limit raised. No invitations were sent.',
    { code: 'INVITATION_FAILED', errors: [], sent_invitations: false },
  )
  await assert.rejects(send('a@x.example', 'b@x.example', 'c@x.example', 'd@x.example'), usedUp)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 6 }, (_, place) => send(`at-once${place}@x.example`)),
  )
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 3)

  const [first] = (await small.owner.invitations.list()).invites
  const invite_id = first?.id as InvitationId
  await assert.rejects(small.owner.invitations.resend({ invite_id }), usedUp)
  // Taking one back does not take back its letter.
  await small.owner.invitations.revoke({ invite_id })
  await assert.rejects(send('e@x.example'), usedUp)
  await small.database.query("update invitation set invited_at = invited_at - interval '25 hours'")
  await send('e@x.example')
})
