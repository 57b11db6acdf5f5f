import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  eventually,
  openQueue,
  type Person,
  request,
  resumeSession,
  signIn,
  startMailServer,
  startWorld,
} from '@oxbow/testkit'
import { openStream, waitUntilListening } from '@oxbow/testkit/calls/listening'
import { findResetTarget } from '../src/joining/password-reset/find-target.ts'
import { requestPasswordReset } from '../src/joining/password-reset/request-reset.ts'
import { resetPassword } from '../src/joining/password-reset/reset-password.ts'

const mail = await startMailServer()
after(() => mail[Symbol.asyncDispose]())
const world = await startWorld({
  ownServer: true,
  config: { log_level: 'trace', smtp_url: mail.url, external_url: 'http://localhost' },
})
after(() => world[Symbol.asyncDispose]())
const { app } = world.nodes.a
const own = { 'sec-fetch-site': 'same-origin' }

/** Fails if a log line contains one of the secrets, in plain or encoded form. */
function assertNotLogged(secrets: readonly string[]): void {
  const { text } = world.log
  for (const secret of secrets)
    for (const form of ['utf8', 'base64', 'base64url', 'hex'] as const)
      assert.ok(!text.includes(Buffer.from(secret).toString(form)), `${secret} as ${form}`)
}

const postSession = ({ email: username }: Person, password: string, headers: Record<string, string> = {}) =>
  request(world.nodes.b.url, {
    method: 'POST',
    path: '/api/v1/sessions',
    form: { username, password },
    headers: { ...own, ...headers },
  })

test('no log line contains the token of a session, wherever a request contains it', async () => {
  const iris = await world.person('iris')
  const session = await signIn(world, iris)
  const { queue_id } = await openQueue(session)
  const source = await openStream(world, session, queue_id, 'b')
  await waitUntilListening(world, queue_id, 'b')
  const places: Parameters<typeof request>[1][] = [
    { path: '/api/v1/users/me', headers: { cookie: session.cookie } },
    { path: '/api/v1/users/me', headers: { authorization: `Bearer ${session.token}` } },
    { path: '/api/v1/users/me', credentials: { email: iris.email, api_key: session.token } },
    { path: `/api/v1/users/me?${session.cookie}` },
    { path: `/${session.token}`, headers: { cookie: session.cookie } },
    { method: 'POST', path: '/api/v1/messages', form: { to: session.token }, headers: session.headers },
    { method: 'POST', path: '/api/v1/messages', headers: { cookie: session.cookie } },
  ]
  for (const rawRequest of places) await request(world.nodes.a.url, rawRequest)
  await postSession(iris, iris.password, { cookie: session.cookie })
  await source.next()
  await session.users.me().catch(() => {})

  assertNotLogged([session.token, iris.password])
})

test('no log line contains a token or a password if PostgreSQL fails during a request', async () => {
  const otto = await world.person('otto')
  const session = await signIn(world, otto)
  const fails: number[] = []
  await world.database.query('alter table session rename column user_agent to user_agent_away')
  fails.push((await postSession(otto, otto.password)).status)
  await world.database.query('alter table session rename column user_agent_away to user_agent')
  await world.database.query('alter table session rename column expires_at to expires_at_away')
  const { cookie } = resumeSession(world, `oxbow=${session.token.slice(0, -1)}x`)
  for (const tried of [session.cookie, cookie])
    fails.push(
      (await request(world.nodes.b.url, { path: '/api/v1/users/me', headers: { cookie: tried } })).status,
    )
  await world.database.query('alter table session rename column expires_at_away to expires_at')

  assert.ok(fails.includes(500), String(fails))
  assert.match(world.log.text, /unhandled error while serving a request/)
  assertNotLogged([session.token, otto.password])
})

test('neither the log nor a job contains the key of a reset link if its e-mail fails', async () => {
  const { email } = await world.person('mia')
  const target = await findResetTarget(app, { subdomain: '', origin: 'http://localhost' })
  assert.ok(typeof target !== 'string')
  mail.isRefusing = true
  await requestPasswordReset(app, target, { email, address: '127.0.0.1', language: 'en' })
  const [job] = await eventually(async () => {
    const failed = await world.database.query<{ text: string }>(
      `select j::text as text from graphile_worker._private_jobs j where last_error is not null`,
    )
    return failed.length > 0 && failed
  })
  mail.isRefusing = false
  await world.database.query('update graphile_worker._private_jobs set run_at = now()')
  const { text } = await mail.waitForEmail(email)
  const key = /\/accounts\/password\/reset\/([a-z0-9]{24})\s/.exec(text)?.[1] ?? ''

  const password = 'heron lake 77 reeds'
  const outcome = await resetPassword(app, { key, subdomain: '' }, { password, language: 'en' })

  assert.equal(outcome, 'done')

  assert.match(job?.text ?? '', /the mailbox is full/)
  assert.ok(!job?.text.includes(key))
  assert.match(world.log.text, /a job failed and will be retried/)
  assertNotLogged([key, password])
})
