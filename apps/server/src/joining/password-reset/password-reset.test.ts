import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { eventually, type Person, request, signIn, startMailServer, startWorld } from '@oxbow/testkit'
import pg from 'pg'
import { createResetLinkByOperator } from '../../operators/password-reset.ts'
import { setPasswordByOperator } from '../../operators/users.ts'
import { connectionOptions } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { makeLinkKey } from '../invitations/keys.ts'
import { deleteOldPasswordResets } from './delete-old-resets.ts'
import { findResetTarget } from './find-target.ts'
import { sealBindingOfReset } from './keys.ts'
import { insertReset } from './queries.ts'
import { requestPasswordReset } from './request-reset.ts'
import { mailPasswordReset } from './reset-email.ts'
import { findResetByKey, resetPassword } from './reset-password.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({
  config: {
    smtp_url: mail.url,
    external_url: 'https://chat.example',
    password_resets_per_hour: 0,
    mode: 'production',
  },
})
after(() => world[Symbol.asyncDispose]())
const { owner, database } = world
const { app } = world.nodes.a
const strong = 'heron lake 77 reeds'

const host = { subdomain: '', origin: 'https://chat.example' }

async function ask(email: string, address = '203.0.113.7') {
  const target = await findResetTarget(app, host)
  assert.ok(typeof target !== 'string', String(target))
  return requestPasswordReset(app, target, { email, address, language: 'en' })
}

/** Returns the key in the newest e-mail with a link to this address. */
const keyFor = (address: string) =>
  eventually(() => {
    const found = mail.emails.findLast(({ to, text }) => to === address && text.includes('/password/reset/'))
    return /https:\/\/chat\.example\/accounts\/password\/reset\/([a-z0-9]{24})\s/.exec(found?.text ?? '')?.[1]
  })

let count = 0

/** Creates a user who asked for a new password, and returns the key of the link. */
async function someoneWithKey(): Promise<{ person: Person; key: string }> {
  const person = await world.person(`forgetful${count++}`)
  await ask(person.email)
  return { person, key: await keyFor(person.email) }
}

const set = (key: string, password = strong, subdomain: string | null = '') =>
  resetPassword(world.nodes.b.app, { key, subdomain }, { password, language: 'en' })

const fetchKey = async ({ email: username }: Person, password: string) =>
  request(world.nodes.b.url, {
    method: 'POST',
    path: '/api/v1/fetch_api_key',
    form: { username, password },
    headers: { host: 'chat.example' },
  })

/** Waits until all jobs that were enqueued so far have run. */
const jobsDone = () =>
  eventually(async () => {
    const remaining = await database.query(
      `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
       where t.identifier like 'mail%'`,
    )
    return remaining.length === 0
  })

test('a link from an e-mail sets a new password once and does not change the API key', async () => {
  const { person, key } = await someoneWithKey()

  assert.equal(await set(key), 'done')

  assert.equal((await fetchKey(person, person.password)).status, 403)
  const { status, body } = await fetchKey(person, strong)
  assert.deepEqual([status, body.api_key], [200, person.api_key])
  assert.equal(await set(key, 'another lake 78 reeds'), 'gone')
  assert.equal(await findResetByKey(app, app.db, { key, subdomain: '' }), undefined)
  const { text } = await eventually(() => mail.emails.find((email) => email.text.includes('has a new passw')))
  assert.match(text, /^To: forgetful0@/m)
})

test('setting a password through a link ends all sessions and resets the delay after failed sign-ins', async () => {
  const { person, key } = await someoneWithKey()
  const session = await signIn(world, person)
  await database.query(
    `insert into sign_in_failure (organization_id, username, network, judged_at)
     select $1, $2, '127.0.0.1/32', now() from generate_series(1, 12)`,
    [world.organization_id, person.email],
  )

  await set(key)

  await assert.rejects(session.on('b').users.me(), { status: 401 })
  await assert.rejects(session.on('a').users.me(), { status: 401 })
  assert.equal((await fetchKey(person, strong)).status, 200)
})

test('the response and the stored request are the same for addresses with and without an account', async () => {
  const [known, gone] = await world.people('known', 'gone')
  await owner.users.deactivate({ user_id: gone.user_id })
  const bot = await owner.bots.create({ full_name: 'Hook', short_name: 'hook', bot_type: 1 })
  const [{ email: botEmail } = { email: '' }] = await database.query<{ email: string }>(
    'select delivery_email as email from user_account where id = $1',
    [bot.user_id],
  )
  const addresses = [known.email, 'nobody@garden.example', gone.email, botEmail]

  for (const address of addresses) assert.equal(await ask(address), 'sent')
  const rows = await database.query(
    `select email, origin, network::text, octet_length(key_sealed) as sealed, ended_at from password_reset
     where email = any($1) order by array_position($1, email)`,
    [addresses],
  )
  await jobsDone()

  assert.deepEqual(
    rows,
    addresses.map((email) => ({
      email,
      origin: 'https://chat.example',
      network: '203.0.113.7/32',
      sealed: 60,
      ended_at: null,
    })),
  )
  const mailed = addresses.map((address) => mail.emails.filter(({ to }) => to === address).length)
  assert.deepEqual(mailed, [1, 0, 1, 0])
  const { text } = await mail.waitForEmail(gone.email)
  assert.match(text, /The account is deactivated/)
  assert.ok(!text.includes('/password/reset/'))
})

test('addresses are case-insensitive, and an account without a password can set its first one', async () => {
  const person = await world.person('capital')
  await database.query('update user_account set password_hash = null where id = $1', [person.user_id])

  await ask(`  ${person.email.toUpperCase()} `)

  assert.equal(await set(await keyFor(person.email)), 'done')
  assert.equal((await fetchKey(person, strong)).status, 200)
})

test('weak passwords are refused, and the link stays valid', async () => {
  const { key } = await someoneWithKey()

  for (const weak of ['', 'abc', 'password', 'qwertyuiop']) assert.equal(await set(key, weak), 'weak', weak)
  assert.equal(await set(key), 'done')
})

/** Events that invalidate a link before it is used. */
const endings: Record<string, (person: Person) => Promise<unknown>> = {
  'an hour has passed': ({ email }) =>
    database.query(`update password_reset set created_at = now() - interval '61 minutes' where email = $1`, [
      email,
    ]),
  'another link was requested': async ({ email }) => {
    const before = mail.emails.length
    await ask(email)
    await eventually(() => mail.emails.length > before)
  },
  'the operator made a link': ({ email }) =>
    createResetLinkByOperator(app, { subdomain: '', email, origin: 'https://chat.example' }),
  'the password was changed': ({ users, password }) =>
    users.updateSettings({ old_password: password, new_password: 'plum tree 52 garden' }),
  'the operator set a password': ({ email }) =>
    setPasswordByOperator(app, { subdomain: '', email, password: 'plum tree 53 garden' }),
  'a new API key was made': ({ users }) => users.regenerateApiKey(),
  'the address of the account was changed': ({ user_id }) =>
    database.query(`update user_account set delivery_email = 'moved@garden.example' where id = $1`, [
      user_id,
    ]),
  'the account was deactivated and came back': async ({ user_id }) => {
    await owner.users.deactivate({ user_id })
    await owner.users.reactivate({ user_id })
  },
  'the account was deactivated': ({ user_id }) => owner.users.deactivate({ user_id }),
}
for (const [reason, happens] of Object.entries(endings))
  test(`a link is invalid after ${reason}`, async () => {
    const { person, key } = await someoneWithKey()

    await happens(person)

    assert.equal(await findResetByKey(app, app.db, { key, subdomain: '' }), undefined)
    assert.equal(await set(key), 'gone')
    assert.notEqual((await fetchKey(person, strong)).status, 200)
  })

test('a link works only on the host of its organization', async () => {
  await world.addOrganization('hill')
  const { key } = await someoneWithKey()

  for (const subdomain of ['hill', 'tea', null]) assert.equal(await set(key, strong, subdomain), 'gone')
  assert.equal(await set(key), 'done')
})

test('concurrent requests with one link on two nodes set one password', async () => {
  const { person, key } = await someoneWithKey()
  const passwords = Array.from({ length: 6 }, (_, index) => `heron lake ${index}7 reeds`)

  const outcomes = await Promise.all(
    passwords.map((password, index) =>
      resetPassword(
        world.nodes[index % 2 ? 'a' : 'b'].app,
        { key, subdomain: '' },
        { password, language: 'en' },
      ),
    ),
  )

  assert.equal(outcomes.filter((outcome) => outcome === 'done').length, 1)
  assert.equal((await fetchKey(person, passwords[outcomes.indexOf('done')] ?? '')).status, 200)
})

test("setting a password fails if the link ends while the request waits for the account's row", async () => {
  const { person, key } = await someoneWithKey()
  const client = new pg.Client(connectionOptions(database.url))
  await client.connect()
  await client.query('begin')
  await client.query('select from user_account where id = $1 for no key update', [person.user_id])

  const outcome = set(key)
  await eventually(async () => {
    const waiting = await database.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and application_name = 'oxbow'`,
    )
    return waiting.length > 0
  })
  await client.query("set local lock_timeout = '500ms'")
  await client.query('update password_reset set ended_at = now() where user_id = $1', [person.user_id])
  await client.query('commit')
  await client.end()

  assert.equal(await outcome, 'gone')
})

/** Returns the keys of all links that were mailed to this address and are still valid. */
async function validKeysFor(address: string): Promise<string[]> {
  const keys = mail.emails.flatMap(({ to, text }) =>
    to === address ? (/\/password\/reset\/([a-z0-9]{24})\s/.exec(text)?.[1] ?? []) : [],
  )
  const found = await Promise.all(keys.map((key) => findResetByKey(app, app.db, { key, subdomain: '' })))
  return keys.filter((_, index) => found[index])
}

test('an address gets at most three e-mails an hour, and one of their links is valid', async () => {
  const { email } = await world.person('bombed')
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) => ask(email.toUpperCase(), `198.51.100.${index}`)),
  )
  await jobsDone()

  assert.deepEqual(outcomes, Array(8).fill('sent'))
  const rows = await database.query('select from password_reset where email = $1', [email])
  assert.equal(rows.length, 3)
  assert.ok(mail.emails.filter(({ to }) => to === email).length <= 3)
  // E-mails may arrive in any order, so the last one need not have the valid link.
  const [key = '', ...others] = await validKeysFor(email)
  assert.deepEqual(others, [])
  assert.equal(await set(key), 'done')
})

test('if the jobs of two requests run in reverse order, only the later request gets an e-mail and a valid link', async () => {
  const { email } = await world.person('overtaken')
  const organization_id = world.organization_id as OrganizationId
  const store = () =>
    inTransaction(app.db, (tx) => {
      const { key, columns } = makeLinkKey(app, sealBindingOfReset({ organization_id, email }))
      const values = { organization_id, email, origin: host.origin, network: '203.0.113.7/32', ...columns }
      return insertReset(tx, values).then((id) => ({ id, key }))
    })
  const [earlier, later] = [await store(), await store()]

  for (const { id } of [later, earlier])
    await mailPasswordReset.run(app, { organization_id, id, language: 'en' })

  assert.equal(mail.emails.filter(({ to }) => to === email).length, 1)
  assert.deepEqual(await validKeysFor(email), [later.key])
  assert.equal(await set(earlier.key), 'gone')
})

test('requests by others do not invalidate a link from the operator', async () => {
  const { email } = await world.person('helped')
  const { link } = await createResetLinkByOperator(app, { subdomain: '', email, origin: host.origin })

  await ask(email, '198.51.100.66')
  await keyFor(email)

  assert.equal(await set(link.split('/').at(-1) ?? ''), 'done')
})

test('an account gets ten e-mails a day, and further requests do not invalidate the last link', async () => {
  const { email, user_id } = await world.person('patient')
  const insert = `insert into password_reset (organization_id, email, user_id, key_hash, key_sealed, origin, network, created_at)
    select $1, $2, $3, sha256((n || $2::text)::bytea), '', '', '203.0.113.7/32', now() - interval '2 hours'
    from generate_series(1, $4) n`
  await database.query(insert, [world.organization_id, email, user_id, 9])
  await ask(email)
  const key = await keyFor(email)

  await ask(email)
  await jobsDone()

  assert.equal(mail.emails.filter(({ to }) => to === email).length, 1)
  assert.match(world.log.text, /the account got too many in a day/)
  assert.equal(await set(key), 'done')
})

test('reset requests are limited per network and hour, across all addresses', async () => {
  await using small = await startWorld({
    config: { smtp_url: mail.url, external_url: 'https://chat.example', password_resets_per_hour: 3 },
  })
  const target = await findResetTarget(small.nodes.a.app, host)
  assert.ok(typeof target !== 'string')
  const askFrom = (address: string, index: number) =>
    requestPasswordReset(small.nodes[index % 2 ? 'a' : 'b'].app, target, {
      email: `nobody${index}@garden.example`,
      address,
      language: 'en',
    })

  const outcomes = await Promise.all(
    Array.from({ length: 8 }, (_, index) => askFrom(`2001:db8:1:1::${index}`, index)),
  )

  assert.equal(outcomes.filter((outcome) => outcome === 'sent').length, 3)
  const refused = outcomes.find((outcome) => outcome !== 'sent')
  assert.ok(typeof refused === 'object' && refused.retryAfter > 3_500 && refused.retryAfter <= 3_600)
  assert.equal(await askFrom('2001:db8:1:2::1', 9), 'sent')
})

test('reset requests are refused if passwords are disabled, and disabling passwords invalidates links', async () => {
  const { key } = await someoneWithKey()
  const set = (methods: string) =>
    database.query(`update organization set disabled_authentication_methods = '${methods}'`)
  await set('{Email}')
  const target = await findResetTarget(app, host)
  const outcome = await resetPassword(app, { key, subdomain: '' }, { password: strong, language: 'en' })
  const byOperator = createResetLinkByOperator(app, { subdomain: '', email: owner.email, origin: 'x' })
  await assert.rejects(byOperator, /does not let people sign in with passwords/)
  await set('{}')

  assert.deepEqual([target, outcome], ['no passwords', 'gone'])
  assert.equal(await findResetTarget(app, { ...host, subdomain: 'nowhere' }), 'unknown organization')
  assert.equal(await findResetTarget(app, { ...host, subdomain: null }), 'unknown organization')
})

test('reset requests are refused without a mail server or without OXBOW_EXTERNAL_URL', async () => {
  for (const config of [{ external_url: 'https://chat.example' }, { smtp_url: mail.url }]) {
    await using silent = await startWorld({ config })
    assert.equal(await findResetTarget(silent.nodes.a.app, host), 'no mail')
  }
})

test('text that is not an address is refused and not stored', async () => {
  for (const email of ['', 'iris', 'a@b', 'iris@garden.example\r\nBcc: x@y.example', 'x'.repeat(300)])
    assert.equal(await ask(email), 'malformed', email)
})

test('the job mails nothing for a link that was replaced or has expired', async () => {
  const { person } = await someoneWithKey()
  const [row] = await database.query<{ id: number }>(
    'update password_reset set ended_at = now() where user_id = $1 returning id::int',
    [person.user_id],
  )
  const before = mail.emails.length

  await mailPasswordReset.run(app, {
    organization_id: world.organization_id as OrganizationId,
    id: row?.id ?? 0,
    language: 'en',
  })

  assert.equal(mail.emails.length, before)
})

test('requests are deleted after a day', async () => {
  const [old, recent] = [await someoneWithKey(), await someoneWithKey()]
  await database.query(
    `update password_reset set created_at = now() - interval '25 hours' where user_id = $1`,
    [old.person.user_id],
  )

  await deleteOldPasswordResets.run(app, {})

  const remaining = await database.query(
    'select user_id::int from password_reset where user_id = any($1::bigint[])',
    [[old.person.user_id, recent.person.user_id]],
  )
  assert.deepEqual(remaining, [{ user_id: recent.person.user_id }])
})

test('keys of links appear neither in the log nor in plain text in the database', async () => {
  const { key } = await someoneWithKey()
  await set(key)

  assert.ok(!world.log.text.includes(key))
  const rows = await database.query<{ text: string; key_sealed: Buffer }>(
    'select r::text as text, key_sealed from password_reset r',
  )
  assert.ok(rows.length > 0)
  for (const { text, key_sealed } of rows) assert.ok(!text.includes(key) && !key_sealed.includes(key))
})

test('the operator can create links for people, and gets an error with the reason for other accounts', async () => {
  const { email } = await world.person('asked')
  const origin = 'https://chat.example'
  const create = (address: string) =>
    createResetLinkByOperator(app, { subdomain: '', email: address, origin })

  const { link, email: shown } = await create(email.toUpperCase())

  assert.equal(shown, email)
  const key = /^https:\/\/chat\.example\/accounts\/password\/reset\/([a-z0-9]{24})$/.exec(link)?.[1] ?? ''
  assert.equal(await set(key), 'done')
  await assert.rejects(create('nobody@garden.example'), /Nobody in .* has the address/)
  await assert.rejects(create('hook-bot@chat.example'), /is a bot/)
})
