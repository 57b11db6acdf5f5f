import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { TransportError } from '@oxbow/sdk'
import { createBrowserClient } from '@oxbow/sdk/browser'
import { connection } from './connection.ts'
import { isTemporary, retryDelayMs, waitToRetry } from './wait-to-retry.ts'

test('the delay between attempts doubles up to a minute', () => {
  assert.deepEqual([1, 2, 3, 20].map(retryDelayMs), [1_000, 2_000, 4_000, 60_000])
})

test('failures without a response or by a busy or broken server are temporary, and refusals are not', () => {
  const errors = [undefined, 500, 502, 503, 429, 408].map((status) =>
    Object.assign(new TransportError('no'), { status }),
  )
  assert.ok(errors.every(isTemporary))
  assert.ok(![400, 401, 403, 404].some((status) => isTemporary({ status })))
})

/** Starts a wait after a failure. Returns its length, and a function that returns whether it has ended. */
function startWait(t: TestContext, error: unknown) {
  const timer = t.mock.method(globalThis, 'setTimeout', () => 0 as never)
  const window = new EventTarget()
  for (const method of ['addEventListener', 'removeEventListener'] as const)
    Object.assign(globalThis, { [method]: window[method].bind(window) })
  connection.value = { status: 'troubled', since: 0, retryAt: 0 }
  let hasEnded = false
  void waitToRetry(1, error).then(() => {
    hasEnded = true
  })
  return {
    waitMs: timer.mock.calls[0]?.arguments[1],
    hasEnded: async () => {
      await setImmediate()
      return hasEnded
    },
  }
}

test('a wait before a retry ends early when the server responds again', async (t) => {
  const { waitMs, hasEnded } = startWait(t, { status: 503 })
  assert.equal(waitMs, 1_000)
  assert.equal(await hasEnded(), false)
  connection.value = { status: 'live' }
  assert.equal(await hasEnded(), true)
})

test('a wait after status 429 lasts as long as `Retry-After`, even if the server responds to other requests', async (t) => {
  const refuse: typeof fetch = async () =>
    new Response('{"result":"error","code":"RATE_LIMIT_HIT","msg":""}', {
      status: 429,
      headers: { 'retry-after': '20' },
    })
  const client = createBrowserClient({ url: 'http://garden.example', credentials: 'session', fetch: refuse })
  const error = await client.users.me().catch((error: unknown) => error)
  const { waitMs, hasEnded } = startWait(t, error)
  assert.equal(waitMs, 20_000)
  connection.value = { status: 'live' }
  assert.equal(await hasEnded(), false)
})
