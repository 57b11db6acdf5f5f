import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { StreamId } from '@oxbow/contract'
import { type Person, startMailServer, startWorld } from '@oxbow/testkit'
import { findLink, submitRegistration } from '@oxbow/testkit/calls/joining'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'

const mail = await startMailServer()
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(async () => {
  await world[Symbol.asyncDispose]()
  await mail[Symbol.asyncDispose]()
})
const { owner } = world
const ada = await world.person('ada', 'administrator')
const mia = await world.person('mia')
const nell = await world.person('nell')
await world.database.query(
  `update user_account set date_joined = now() - interval '9 days' where full_name not like 'Nell%'`,
)
const open = await world.stream('open', { members: [owner, ada, mia, nell] })
const vault = await world.stream('vault', { members: [owner, ada, mia, nell], invite_only: true })
const lobby = await world.stream('lobby', { members: [owner, ada, mia, nell] })
await owner.defaultStreams.add({ stream_id: lobby.stream_id })
let count = 0

const everyone = 1
const administratorsOnly = 2
const fullMembers = 3

before(() => setOrganizationRules(world, 'waiting_period_threshold = 3, invite_by_admins_only = false'))

async function invite(by: Person, ...streams: { stream_id: StreamId }[]): Promise<string> {
  const address = `newcomer${++count}@garden.example`
  await by.invitations.send({
    invitee_emails: address,
    stream_ids: streams.map(({ stream_id }) => stream_id),
  })
  return address
}

async function streamsOf(address: string): Promise<string[]> {
  const rows = await world.database.query<{ name: string }>(
    `select stream.name from subscription
     join user_account u on u.id = subscription.user_id join stream on stream.id = subscription.stream_id
     where u.delivery_email = $1 and subscription.is_active order by stream.name`,
    [address],
  )
  return rows.map(({ name }) => name)
}

const refusals: [policy: number, by: Person, error: string | undefined][] = [
  [everyone, mia, undefined],
  [everyone, nell, undefined],
  [administratorsOnly, ada, undefined],
  [administratorsOnly, mia, 'ONLY_ADMINISTRATORS_SUBSCRIBE_OTHERS'],
  [fullMembers, ada, undefined],
  [fullMembers, mia, undefined],
  [fullMembers, nell, 'TOO_NEW_TO_SUBSCRIBE_OTHERS'],
]

for (const [policy, by, errorName] of refusals) {
  const outcome = errorName ?? 'allowed'
  test(`an invitation by ${by.email} to streams under the policy ${policy} has the outcome: ${outcome}`, async () => {
    await setOrganizationRules(world, `invite_to_stream_policy = ${policy}`)
    for (const stream of [open, vault]) {
      if (errorName) await assert.rejects(invite(by, lobby, stream), { errorName })
      else await invite(by, lobby, stream)
    }
    await invite(by, lobby)
  })
}

test('new users are subscribed only to streams to which the inviter may still subscribe others', async () => {
  for (const [policy, inviter] of [
    [administratorsOnly, mia],
    [fullMembers, nell],
  ] as const) {
    await setOrganizationRules(world, `invite_to_stream_policy = ${everyone}`)
    const address = await invite(inviter, open, vault, lobby)
    const path = await findLink(mail, address)

    await setOrganizationRules(world, `invite_to_stream_policy = ${policy}`)
    await submitRegistration(world, path)

    assert.deepEqual(await streamsOf(address), ['lobby'], `policy ${policy}`)
  }
  await setOrganizationRules(world, `invite_to_stream_policy = ${everyone}`)
  const address = await invite(mia, open, vault)
  await submitRegistration(world, await findLink(mail, address))
  assert.deepEqual(await streamsOf(address), ['open', 'vault'])
})

test('invitations by members are invalid while only administrators may invite', async () => {
  await setOrganizationRules(world, `invite_to_stream_policy = ${everyone}, invite_by_admins_only = false`)
  const [byMember, byAdministrator] = [await invite(mia, lobby), await invite(ada, lobby)]
  const paths = [await findLink(mail, byMember), await findLink(mail, byAdministrator)] as const
  const listed = async () => (await owner.invitations.list()).invites.flatMap(({ email }) => email ?? [])
  const [own] = (await mia.invitations.list()).invites.filter(({ email }) => email === byMember)
  assert.ok(own)

  await setOrganizationRules(world, 'invite_by_admins_only = true')

  assert.ok(!(await listed()).includes(byMember))
  assert.ok((await listed()).includes(byAdministrator))
  await assert.rejects(mia.invitations.resend({ invite_id: own.id }), { errorName: 'NO_SUCH_INVITATION' })
  await submitRegistration(world, paths[0])
  await submitRegistration(world, paths[1])
  assert.deepEqual(await streamsOf(byMember), [])
  assert.deepEqual(await streamsOf(byAdministrator), ['lobby'])
  await setOrganizationRules(world, 'invite_by_admins_only = false')
  await submitRegistration(world, paths[0])
  assert.deepEqual(await streamsOf(byMember), ['lobby'])
})
