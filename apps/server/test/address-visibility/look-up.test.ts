import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type Person, type RawRequest, request, startMailServer, startWorld } from '@oxbow/testkit'

const mail = await startMailServer()
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(async () => {
  await world[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})

const hidden = { known: 'mona-hidden@garden.example', unknown: 'nina-hidden@garden.example' }
const [mia, mona] = await world.people('mia', 'mona-hidden')
const ada = await world.person('ada', 'administrator')
const garden = await world.stream('garden', { members: [world.owner, mia, mona, ada] })
const narrow = (operator: string, operand: string) => JSON.stringify([{ operator, operand }])
const page = { anchor: 'newest', num_before: '5', num_after: '0' }

/** Request builders, one for each endpoint that takes an e-mail address. */
const calls: Record<string, (email: string) => RawRequest> = {
  'users.presence': (email) => ({ path: `/api/v1/users/${email}/presence` }),
  'messages.send': (email) => ({
    method: 'POST',
    path: '/api/v1/messages',
    form: { type: 'private', to: JSON.stringify([email]), content: 'Hello.' },
  }),
  'typing.send': (email) => ({
    method: 'POST',
    path: '/api/v1/typing',
    form: { op: 'start', to: JSON.stringify([email]) },
  }),
  'subscriptions.subscribe': (email) => ({
    method: 'POST',
    path: '/api/v1/users/me/subscriptions',
    form: { subscriptions: '[{"name":"garden"}]', principals: JSON.stringify([email]) },
  }),
  'subscriptions.unsubscribe': (email) => ({
    method: 'DELETE',
    path: '/api/v1/users/me/subscriptions',
    form: { subscriptions: '["garden"]', principals: JSON.stringify([email]) },
  }),
  'messages.list by sender': (email) => ({
    path: '/api/v1/messages',
    query: { ...page, narrow: narrow('sender', email) },
  }),
  'messages.list by people': (email) => ({
    path: '/api/v1/messages',
    query: { ...page, narrow: narrow('pm-with', email) },
  }),
  'messages.list by group': (email) => ({
    path: '/api/v1/messages',
    query: { ...page, narrow: narrow('group-pm-with', email) },
  }),
  avatar: (email) => ({ path: `/avatar/${email}` }),
  'invitations.send': (email) => ({
    method: 'POST',
    path: '/api/v1/invites',
    form: { invitee_emails: email, stream_ids: `[${garden.stream_id}]`, invite_as: '400' },
  }),
  'users.updateSettings': (email) => ({ method: 'PATCH', path: '/api/v1/settings', form: { email } }),
  'authentication.fetchApiKey': (email) => ({
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    form: { username: email, password: 'wrong' },
  }),
}

async function normalizedResponse(caller: Person, rawRequest: RawRequest, email: string): Promise<unknown> {
  const { status, text, headers } = await request(world.nodes.a.url, { ...rawRequest, credentials: caller })
  return [status, text.replaceAll(email, 'ADDRESS'), headers.get('location')]
}

test('callers who cannot see an address get the same response whether or not an account has the address', async () => {
  for (const [visibility, callers] of [
    [3, [mia]],
    [4, [mia, ada, world.owner]],
  ] as const) {
    await world.owner.organization.update({ email_address_visibility: visibility })
    await world.settled()
    for (const caller of callers)
      for (const [name, call] of Object.entries(calls)) {
        await world.database.query('delete from sign_in_failure; delete from email_change')
        const [usedAddress, freeAddress] = [hidden.known, hidden.unknown]
        assert.deepEqual(
          await normalizedResponse(caller, call(usedAddress), usedAddress),
          await normalizedResponse(caller, call(freeAddress), freeAddress),
          `${name} as ${caller.email} under ${visibility}`,
        )
      }
    const listed = (email: string) =>
      world.database.query('select from invitation where email = $1 and ended_at is null', [email])
    assert.equal((await listed(hidden.known)).length, (await listed(hidden.unknown)).length)
  }
})

test('callers who can see addresses are told that an address already has an account', async () => {
  await world.owner.organization.update({ email_address_visibility: 1 })
  await world.settled()
  const invited = await normalizedResponse(
    mia,
    calls['invitations.send']?.(hidden.known) as RawRequest,
    hidden.known,
  )
  assert.match(String(invited), /Already has an account/)
  const changed = await normalizedResponse(
    mia,
    calls['users.updateSettings']?.(hidden.known) as RawRequest,
    hidden.known,
  )
  assert.match(String(changed), /Already has an account/)
})
