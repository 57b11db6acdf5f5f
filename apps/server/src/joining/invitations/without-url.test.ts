import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type RawRequest, request, startMailServer, startWorld } from '@oxbow/testkit'

const mail = await startMailServer()
const world = await startWorld({ config: { smtp_url: mail.url } })
after(async () => {
  await world[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

test('a node warns at start that it cannot send mail', () => {
  assert.match(world.log.text, /no mail is sent: set OXBOW_EXTERNAL_URL/)
})

test('everything that would mail a link is refused while OXBOW_EXTERNAL_URL is not set', async () => {
  const garden = await world.stream('garden')
  const [row] = await world.database.query<{ id: number }>(
    `insert into invitation (organization_id, email, invited_by, role, key_hash, key_sealed, origin)
     values ($1, 'otto@garden.example', $2, 400, 'x', 'x', 'http://evil.example') returning id::int`,
    [world.organization_id, world.owner.user_id],
  )
  const calls: RawRequest[] = [
    {
      method: 'POST',
      path: '/api/v1/invites',
      form: { invitee_emails: 'iris@garden.example', stream_ids: `[${garden.stream_id}]` },
    },
    { method: 'POST', path: `/api/v1/invites/${row?.id}/resend` },
    { method: 'PATCH', path: '/api/v1/settings', form: { email: 'new@garden.example' } },
  ]

  for (const call of calls) {
    const { status, body } = await request(world.nodes.a.url, { ...call, credentials: world.owner })
    const msg = 'This server cannot send e-mail yet; ask its administrator to set OXBOW_EXTERNAL_URL.'
    assert.deepEqual([status, body.msg], [400, msg], call.path)
  }
  assert.match(world.log.text, /no mail is sent: set OXBOW_EXTERNAL_URL to the URL of this server/)
  assert.equal(mail.emails.length, 0)
})
