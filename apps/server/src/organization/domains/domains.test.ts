import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ApiError } from '@oxbow/contract'
import { expectSameState, type Person, startWorld } from '@oxbow/testkit'
import { collectEvents } from '@oxbow/testkit/calls/events'
import { setOrganizationRules } from '@oxbow/testkit/calls/organization'
import { call, refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const { owner } = world
const ada = await world.person('ada', 'administrator')
const iris = await world.person('iris')
const gus = await world.person('gus', 'guest')
const robin = await world.bot('robin', iris)
const everyone = { owner, ada, iris, gus, robin }
let count = 0

/** Returns true if an account with an address of this domain can be created; otherwise the error. */
async function admits(by: Person, domain: string): Promise<true | string> {
  const email = `someone${count++}@${domain}`
  return by
    .on('b')
    .users.create({ email, password: 'heron lake 77 reeds', full_name: 'New Person' })
    .then(
      () => true as const,
      (error: unknown) => (error as ApiError).errorName,
    )
}

test('added, changed and removed domains are sent to everyone', async () => {
  const events = await expectSameState(world, everyone, async () => {
    const { new_domain } = await ada.domains.add({ domain: ' Garden.Example ', allow_subdomains: false })
    assert.deepEqual([typeof new_domain[0], new_domain[1]], ['number', 'garden.example'])
    await owner.domains.add({ domain: 'alps.example', allow_subdomains: true })
    await owner.domains.update({ domain: 'GARDEN.example', allow_subdomains: true })
    await owner.domains.add({ domain: 'brief.example', allow_subdomains: true })
    await owner.domains.remove({ domain: 'brief.example' })
  })

  const domains = [
    { domain: 'alps.example', allow_subdomains: true },
    { domain: 'garden.example', allow_subdomains: true },
  ]
  for (const person of Object.values(everyone)) {
    assert.deepEqual(await person.domains.list(), { domains })
    const { realm_domains } = await person.events.register({ fetch_event_types: ['realm_domains'] })
    assert.deepEqual(realm_domains, domains)
  }
  assert.deepEqual(
    events.gus?.map(({ id, ...event }) => event),
    [
      {
        type: 'realm_domains',
        op: 'add',
        realm_domain: { domain: 'garden.example', allow_subdomains: false },
      },
      { type: 'realm_domains', op: 'add', realm_domain: { domain: 'alps.example', allow_subdomains: true } },
      {
        type: 'realm_domains',
        op: 'change',
        realm_domain: { domain: 'garden.example', allow_subdomains: true },
      },
      { type: 'realm_domains', op: 'add', realm_domain: { domain: 'brief.example', allow_subdomains: true } },
      { type: 'realm_domains', op: 'remove', domain: 'brief.example' },
    ],
  )
})

const refusals: [domain: string, why: string][] = [
  ['', "Domain can't be empty."],
  ['   ', "Domain can't be empty."],
  ['localhost', 'Domain must have at least one dot (.)'],
  [`${'a.'.repeat(127)}ab`, 'Domain is too long'],
  ['.example.com', 'Domain cannot start or end with a dot (.)'],
  ['example.com.', 'Domain cannot start or end with a dot (.)'],
  ['example..com', "Consecutive '.' are not allowed."],
  ['-example.com', "Subdomains cannot start or end with a '-'."],
  ['example-.com', "Subdomains cannot start or end with a '-'."],
  ['exa_mple.com', "Domain can only have letters, numbers, '.' and '-'s."],
  ['exämple.com', "Domain can only have letters, numbers, '.' and '-'s."],
]
for (const [domain, why] of refusals) {
  test(`the invalid domain ${JSON.stringify(domain.slice(0, 20))} is refused`, async () => {
    const response = await call(world, owner, 'POST /realm/domains', {
      domain: JSON.stringify(domain),
      allow_subdomains: 'true',
    })
    assert.deepEqual(response, refusal(`Invalid domain: ${why}`))
  })
}

test('adding an existing or changing a missing domain is refused', async () => {
  await assert.rejects(
    owner.domains.add({ domain: 'Alps.example', allow_subdomains: false }),
    refusal('The domain alps.example is already a part of your organization.'),
  )
  const missing = refusal('No entry found for domain sea.example.')
  await assert.rejects(owner.domains.update({ domain: 'sea.example', allow_subdomains: false }), missing)
  await assert.rejects(owner.domains.remove({ domain: 'sea.example' }), missing)
})

test('with restricted domains a new account is refused unless its address is in an allowed domain', async () => {
  assert.equal(await admits(ada, 'sea.example'), true)
  await setOrganizationRules(world, 'emails_restricted_to_domains = true')
  await owner.domains.update({ domain: 'garden.example', allow_subdomains: false })

  assert.equal(await admits(ada, 'garden.example'), true)
  assert.equal(await admits(ada, 'mail.alps.example'), true)
  assert.equal(await admits(ada, 'mail.garden.example'), 'EMAIL_NOT_ALLOWED')
  assert.equal(await admits(ada, 'notalps.example'), 'EMAIL_NOT_ALLOWED')
  await owner.domains.update({ domain: 'garden.example', allow_subdomains: true })
  assert.equal(await admits(ada, 'mail.garden.example'), true)
  await owner.domains.remove({ domain: 'alps.example' })
  assert.equal(await admits(ada, 'alps.example'), 'EMAIL_NOT_ALLOWED')
  await owner.domains.add({ domain: 'sea.example', allow_subdomains: false })
  assert.equal(await admits(ada, 'sea.example'), true)
})

test('with restricted domains a user can change to an address in an allowed domain only', async () => {
  const change = (domain: string) => iris.on('b').users.updateSettings({ email: `iris.new@${domain}` })
  await assert.rejects(change('alps.example'), refusal('Outside your domain.'))
  // The domain is allowed, so the request gets as far as the next check: this server cannot send
  // mail.
  for (const domain of ['sea.example', 'mail.garden.example'])
    await assert.rejects(change(domain), { errorName: 'MAIL_NOT_CONFIGURED' })
})

test('removing the last domain turns the restriction off, in an event before the removal', async () => {
  await owner.domains.remove({ domain: 'sea.example' })
  const events = await expectSameState(world, everyone, () =>
    owner.domains.remove({ domain: 'garden.example' }),
  )

  assert.deepEqual(
    events.iris?.map(({ id, ...event }) => event),
    [
      { type: 'realm', op: 'update', property: 'emails_restricted_to_domains', value: false },
      { type: 'realm_domains', op: 'remove', domain: 'garden.example' },
    ],
  )
  assert.equal(await admits(ada, 'anywhere.example'), true)
})

test('concurrent removal of the last two domains lifts the restriction', async () => {
  for (const domain of ['one.example', 'two.example'])
    await owner.domains.add({ domain, allow_subdomains: false })
  await setOrganizationRules(world, 'emails_restricted_to_domains = true')

  const events = await collectEvents(world, { iris }, () =>
    Promise.all([
      owner.domains.remove({ domain: 'one.example' }),
      ada.on('b').domains.remove({ domain: 'two.example' }),
    ]),
  )

  assert.deepEqual(
    events.iris?.map(({ type }) => type),
    ['realm_domains', 'realm', 'realm_domains'],
  )
})
