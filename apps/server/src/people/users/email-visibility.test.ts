import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Person, request, startWorld, type World } from '@oxbow/testkit'
import { getHiddenEmailDomain } from '../../identity/accounts/email-address.ts'
import type { Config } from '../../platform/config/settings.ts'

const setVisibility = (world: World, visibility: number) =>
  world.database.query('update organization set email_address_visibility = $1', [visibility])

test('email_address_visibility and the role of the viewer decide which address is shown', async () => {
  await using world = await startWorld()
  const viewers = {
    owner: world.owner,
    administrator: await world.person('ada', 'administrator'),
    member: await world.person('mia'),
    guest: await world.person('gus', 'guest'),
  }
  const iris = await world.person('iris')
  const bot = await world.bot('mower', iris)
  const real = 'iris@garden.example'
  const hidden = `user${iris.user_id}@localhost`
  const botReal = 'mower-bot@garden.example'

  const cases: [visibility: number, viewers: (keyof typeof viewers)[], person: object, bot: object][] = [
    [1, ['owner', 'administrator', 'member', 'guest'], { email: real }, { email: botReal }],
    [
      3,
      ['owner', 'administrator'],
      { email: hidden, delivery_email: real },
      { email: botReal, delivery_email: botReal },
    ],
    [3, ['member', 'guest'], { email: hidden }, { email: botReal }],
    [4, ['owner', 'administrator', 'member', 'guest'], { email: hidden }, { email: botReal }],
  ]
  for (const [visibility, names, person, machine] of cases) {
    await setVisibility(world, visibility)
    for (const name of names) {
      assert.deepEqual(await addresses(viewers[name], iris), person, `${name} sees iris under ${visibility}`)
      assert.deepEqual(
        await addresses(viewers[name], bot),
        machine,
        `${name} sees the bot under ${visibility}`,
      )
    }
  }
})

async function addresses(viewer: Person, subject: Person) {
  const { user } = await viewer.users.get({ user_id: subject.user_id })
  const { members } = await viewer.on('b').users.list()
  assert.deepEqual(
    members.find((member) => member.user_id === subject.user_id),
    user,
  )
  return { email: user.email, ...('delivery_email' in user && { delivery_email: user.delivery_email }) }
}

test('GET /users/me has the delivery address only for administrators with visibility 3', async () => {
  await using world = await startWorld()
  const iris = await world.person('iris')
  const own = async (person: Person) => {
    const { email, delivery_email } = await person.users.me()
    return { email, delivery_email }
  }
  const ownHidden = `user${world.owner.user_id}@localhost`

  await setVisibility(world, 1)
  assert.deepEqual(await own(world.owner), { email: world.owner.email, delivery_email: undefined })
  await setVisibility(world, 3)
  assert.deepEqual(await own(world.owner), { email: ownHidden, delivery_email: world.owner.email })
  assert.deepEqual(await own(iris), { email: `user${iris.user_id}@localhost`, delivery_email: undefined })
  await setVisibility(world, 4)
  assert.deepEqual(await own(world.owner), { email: ownHidden, delivery_email: undefined })
})

test('addresses of deactivated users are hidden like those of active users', async () => {
  await using world = await startWorld()
  const [iris, otto] = await world.people('iris', 'otto')
  await world.owner.users.deactivate({ user_id: otto.user_id })
  await setVisibility(world, 3)

  assert.deepEqual(await addresses(iris, otto), { email: `user${otto.user_id}@localhost` })
})

test('the saved response of a retried request contains no addresses that were hidden since', async () => {
  await using world = await startWorld()
  const [iris, otto] = await world.people('iris', 'otto')
  const subscribe = (node: 'a' | 'b') =>
    request(world.nodes[node].url, {
      method: 'POST',
      path: '/api/v1/users/me/subscriptions',
      credentials: iris,
      headers: { 'idempotency-key': 'once' },
      form: {
        subscriptions: '[{"name":"garden"},{"name":"otto@garden.example"}]',
        principals: `[${otto.user_id}]`,
      },
    })
  const before = await subscribe('a')
  assert.deepEqual(before.body.subscribed, { [otto.email]: ['garden', otto.email] })

  await world.owner.organization.update({ email_address_visibility: 3 })

  const { status, body } = await subscribe('b')
  const hidden = `user${otto.user_id}@localhost`
  assert.equal(status, 200)
  assert.deepEqual(body.subscribed, { [hidden]: ['garden', hidden] })
  const [row] = await world.database.query<{ streams: number }>(
    'select count(*)::int as streams from stream where organization_id = $1',
    [world.organization_id],
  )
  assert.equal(row?.streams, 2)
})

test('the domain of hidden addresses is configured, or the external host if it is a valid mail domain', () => {
  const cases: [config: Partial<Config>, domain: string][] = [
    [{}, 'localhost'],
    [{ external_url: 'https://chat.example.com:8443' }, 'chat.example.com'],
    [{ external_url: 'http://10.1.2.3' }, 'localhost'],
    [{ external_url: 'http://[::1]:8484' }, 'localhost'],
    [{ external_url: 'http://intranet' }, 'localhost'],
    [{ external_url: 'http://localhost:8484' }, 'localhost'],
    [{ external_url: 'https://chat.example.com', hidden_email_domain: 'hidden.example' }, 'hidden.example'],
  ]
  for (const [config, domain] of cases) assert.equal(getHiddenEmailDomain(config as Config), domain)
})
