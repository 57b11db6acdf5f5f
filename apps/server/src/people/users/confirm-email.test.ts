import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  eventually,
  fetchAt,
  hostOf,
  type Person,
  request,
  startMailServer,
  startWorld,
} from '@oxbow/testkit'
import { ownPage } from '@oxbow/testkit/calls/joining'
import pg from 'pg'
import { connectionOptions } from '../../platform/database/database.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({ config: { smtp_url: mail.url, external_url: 'http://localhost' } })
after(() => world[Symbol.asyncDispose]())

let count = 0

/** Creates a user who requested a change of address, and returns the link from the e-mail. */
async function someoneWithLink(): Promise<{ person: Person; address: string; path: string }> {
  const person = await world.person(`mover${count++}`)
  const address = `new${count}@elsewhere.example`
  await person.users.updateSettings({ email: address })
  return { person, address, path: await linkIn(address) }
}

async function linkIn(address: string): Promise<string> {
  const { text } = await mail.waitForEmail(address)
  return /(\/accounts\/confirm_new_email\/[a-z0-9]{24})\s/.exec(text)?.[1] ?? ''
}

const confirm = (path: string, headers = {}) =>
  request(world.nodes.b.url, { method: 'POST', path, headers: { ...ownPage, ...headers } })
const addressOf = async ({ user_id }: Person) => (await world.owner.users.get({ user_id })).user.email
const setRule = (rule: string) => world.database.query(`update organization set ${rule}`)

/** Actions that invalidate a link before it is used. */
const revocations: Record<string, (person: Person) => Promise<unknown>> = {
  'a new API key was made': (person) => person.users.regenerateApiKey(),
  'the password was changed': ({ users, password }) =>
    users.updateSettings({ old_password: password, new_password: 'heron lake 77 reeds' }),
  'the account was deactivated': ({ user_id }) => world.owner.users.deactivate({ user_id }),
  'the account was deactivated and came back': async ({ user_id }) => {
    await world.owner.users.deactivate({ user_id })
    await world.owner.users.reactivate({ user_id })
  },
  'another address was asked for since': ({ users }) =>
    users.updateSettings({ email: `later${count++}@elsewhere.example` }),
  'changes of addresses were disabled': () => setRule('email_changes_disabled = true'),
  'addresses were restricted to domains': () => setRule('emails_restricted_to_domains = true'),
}
for (const [reason, happens] of Object.entries(revocations)) {
  test(`a confirmation link is invalid after ${reason}`, async () => {
    const { person, path, address } = await someoneWithLink()

    const before = await request(world.nodes.a.url, { path })
    await happens(person)
    const shown = await request(world.nodes.a.url, { path })
    const response = await confirm(path)

    await setRule('email_changes_disabled = false, emails_restricted_to_domains = false')
    assert.equal(response.status, 404, response.text)
    assert.equal(await addressOf(person), person.email)
    assert.deepEqual([before.status, shown.status], [200, 404], 'the page checks the link before it asks')
    assert.match(before.text, new RegExp(`<b>${address}</b>`))
    assert.ok(!shown.text.includes('<form'))
  })
}

test('a confirmation link works only on the host of its organization', async () => {
  await world.addOrganization('hill')
  const { person, path, address } = await someoneWithLink()

  const elsewhere = await fetchAt(hostOf('hill'))(`${world.nodes.a.url}${path}`, {
    method: 'POST',
    headers: ownPage,
  })
  assert.equal(elsewhere.status, 404)
  assert.equal((await confirm(path)).status, 200)
  assert.equal(await addressOf(person), address)
})

test('confirming an address waits for a concurrent replacement of the API key', async () => {
  const { person, path } = await someoneWithLink()
  const client = new pg.Client(connectionOptions(world.database.url))
  await client.connect()
  // Takes the locks in the same order as a replacement of the key: first the account, then its
  // links.
  await client.query('begin')
  await client.query('select from user_account where id = $1 for no key update', [person.user_id])

  const response = confirm(path)
  await eventually(async () => {
    const waiting = await world.database.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and application_name = 'oxbow'`,
    )
    return waiting.length > 0
  })
  await client.query("set local lock_timeout = '500ms'")
  await client.query('update email_change set ended_at = now() where user_id = $1', [person.user_id])
  await client.query('commit')
  await client.end()

  assert.equal((await response).status, 404)
  assert.equal(await addressOf(person), person.email)
})

test('the previous address is notified of the change', async () => {
  const { person, path, address } = await someoneWithLink()
  await confirm(path)

  const { text } = await mail.waitForEmail(person.email)
  assert.match(text, new RegExp(`now uses the address ${address}`))
})

test('a user can request only five address changes a day', async () => {
  const person = await world.person('eager')
  const ask = () => person.users.updateSettings({ email: `eager${count++}@elsewhere.example` })
  for (let times = 0; times < 5; times++) await ask()

  await assert.rejects(ask(), { status: 429, errorName: 'RATE_LIMIT_HIT' })
})

test('confirmation pages cannot be framed or cached and send no referrer to other sites', async () => {
  const { path } = await someoneWithLink()
  const { headers } = await request(world.nodes.a.url, { path })
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('referrer-policy'), 'same-origin')
})
