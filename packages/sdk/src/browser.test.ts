import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@oxbow/contract'
import { createBrowserClient, followEventsInBrowser, RequestError, wakeWithBrowser } from './browser.ts'
import { decideRetry } from './events/decide-retry.ts'
import type { ClientOptions } from './request.ts'

/** Creates a client with a session, as in a page. All its requests get the same response. */
function clientInPage(status: number, body: object, options: Partial<ClientOptions> = {}) {
  const sent: { url: string; init: RequestInit }[] = []
  const send: typeof fetch = async (input, init = {}) => {
    sent.push({ url: String(input), init })
    return new Response(JSON.stringify(body), { status })
  }
  return { sent, options: { url: '', credentials: 'session', fetch: send, ...options } as const }
}

const signedOut = { result: 'error', code: 'UNAUTHORIZED', name: 'NOT_LOGGED_IN', msg: 'Not logged in' }
const otherAccount = { result: 'error', code: 'OTHER_ACCOUNT', name: 'OTHER_ACCOUNT', msg: 'Another account' }

test('session requests go to the page’s own origin, with the cookie and without a key', async () => {
  const { sent, options } = clientInPage(200, { result: 'success', msg: '' })

  await createBrowserClient(options).users.me()

  assert.equal(sent[0]?.url, '/api/v1/users/me')
  assert.equal(sent[0]?.init.credentials, 'same-origin')
  assert.deepEqual(sent[0]?.init.headers, { accept: 'application/json', 'x-oxbow-protocol': '371' })
})

test('requests with a key never carry the cookie of a session', async () => {
  const credentials = { email: 'iris@garden.example', api_key: 'k'.repeat(32) }
  const { sent, options } = clientInPage(200, { result: 'success', msg: '' }, { credentials })

  await createBrowserClient(options).users.me()

  assert.equal(sent[0]?.init.credentials, 'omit')
})

test('an error has the status, code, name, text and fields of the response', async () => {
  const body = { result: 'error', code: 'BAD_REQUEST', name: 'TOPIC_TOO_LONG', msg: 'Too long', limit: 60 }
  const { options } = clientInPage(400, body)

  await assert.rejects(createBrowserClient(options).users.me(), (error) => {
    assert.ok(error instanceof RequestError)
    const { status, code, name, msg, message } = error
    assert.deepEqual(
      { status, code, name, msg, message },
      { status: 400, code: 'BAD_REQUEST', name: 'TOPIC_TOO_LONG', msg: 'Too long', message: 'Too long' },
    )
    assert.deepEqual(error.body, body)
    return true
  })
})

test('the name of an error is its code if the server sends no name', () => {
  assert.equal(new RequestError({ code: 'RATE_LIMIT_HIT', msg: 'Slow down' }, 429).name, 'RATE_LIMIT_HIT')
})

test('onSignedOut is called if a session has ended or belongs to another account, and for no other error', async () => {
  const credentials = { email: 'iris@garden.example', api_key: 'k'.repeat(32) }
  const cases = [
    [clientInPage(401, signedOut), 1],
    [clientInPage(403, signedOut), 0],
    [clientInPage(403, otherAccount), 1],
    [clientInPage(401, signedOut, { credentials }), 0],
  ] as const
  for (const [{ options }, expected] of cases) {
    let calls = 0
    const client = createBrowserClient({ ...options, onSignedOut: () => calls++ })

    await assert.rejects(client.users.me())

    assert.equal(calls, expected)
  }
})

test('followEventsInBrowser ends and calls onSignedOut when the session has ended', async () => {
  const { options } = clientInPage(401, signedOut)
  let calls = 0

  const next = followEventsInBrowser({ ...options, onSignedOut: () => calls++ }).next()

  await assert.rejects(next, { name: 'NOT_LOGGED_IN', status: 401 })
  assert.equal(calls, 1)
})

test('requests with a session name the expected account as soon as it is known, and requests with a key do not', async () => {
  const credentials = { email: 'iris@garden.example', api_key: 'k'.repeat(32) }
  let known: number | undefined
  const findUserId = () => known
  const expectedBy = async ({ sent, options }: ReturnType<typeof clientInPage>) => {
    await createBrowserClient({ ...options, findUserId }).users.me()
    return (sent[0]?.init.headers as Record<string, string> | undefined)?.['expected-user-id']
  }
  const me = { result: 'success', msg: '' }

  assert.equal(await expectedBy(clientInPage(200, me)), undefined)
  known = 7
  assert.equal(await expectedBy(clientInPage(200, me)), '7')
  assert.equal(await expectedBy(clientInPage(200, me, { credentials })), undefined)
})

test('a call is sent with the given idempotency key, and with keepalive if requested', async () => {
  const { sent, options } = clientInPage(200, { result: 'success', msg: '', id: 1 })
  const draft = { type: 'stream', to: 'garden', topic: 'roses', content: 'Pruned.' } as const

  await createBrowserClient(options).messages.send(draft, { idempotencyKey: 'kept', keepalive: true })
  await createBrowserClient(options).messages.send(draft)

  const keys = sent.map(({ init }) => (init.headers as Record<string, string>)['idempotency-key'])
  assert.equal(keys[0], 'kept')
  assert.match(keys[1] ?? '', /^[0-9a-f-]{36}$/)
  assert.deepEqual(
    sent.map(({ init }) => init.keepalive),
    [true, undefined],
  )
})

test('ApiError and RequestError lead to the same retry decision', () => {
  const errors = [
    new ApiError('BAD_EVENT_QUEUE_ID', { queue_id: 'q1' }),
    new ApiError('EVENT_NOT_IN_QUEUE', { id: 7 }),
    new ApiError('RATE_LIMIT_HIT', { 'retry-after': 1 }),
    new ApiError('INTERNAL_ERROR'),
    new ApiError('NOT_LOGGED_IN'),
    new ApiError('INVALID_API_KEY'),
  ]

  const decisions = errors.map(decideRetry)
  const inBrowser = errors.map(({ body, status }) => decideRetry(new RequestError(body, status)))

  assert.deepEqual(decisions, ['register', 'register', 'retry', 'retry', 'give up', 'give up'])
  assert.deepEqual(inBrowser, decisions)
})

test('an error in an event stream, which has no status, leads to a retry', () => {
  assert.equal(decideRetry(new RequestError({ code: 'UNAUTHORIZED', msg: 'Not logged in' })), 'retry')
  assert.equal(decideRetry(new RequestError({ code: 'BAD_EVENT_QUEUE_ID', msg: '' })), 'register')
})

test('a follower is woken when the page becomes visible, and reconnects when the network is back or after a sleep', (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] })
  const document = Object.assign(new EventTarget(), { visibilityState: 'hidden' })
  const window = Object.assign(new EventTarget(), { document })
  const calls: string[] = []
  const follower = { wake: () => calls.push('wake'), reconnect: () => calls.push('reconnect') }
  const stop = wakeWithBrowser(follower, window)
  const show = (visibilityState: string) => {
    document.visibilityState = visibilityState
    document.dispatchEvent(new Event('visibilitychange'))
  }

  show('hidden')
  assert.deepEqual(calls.splice(0), [])
  show('visible')
  assert.deepEqual(calls.splice(0), ['wake'])
  window.dispatchEvent(new Event('online'))
  assert.deepEqual(calls.splice(0), ['reconnect'])
  t.mock.timers.tick(60_000)
  assert.deepEqual(calls.splice(0), [])
  // The clock advances without timers firing, as during a sleep.
  t.mock.timers.setTime(Date.now() + 100_000)
  show('visible')
  assert.deepEqual(calls.splice(0), ['reconnect', 'wake'])
  stop()
  show('visible')
  window.dispatchEvent(new Event('online'))
  assert.deepEqual(calls, [])
})
