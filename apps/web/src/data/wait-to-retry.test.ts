import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { TransportError } from '@oxbow/sdk'
import { createClient } from '@oxbow/sdk/browser'
import { connection } from './connection.ts'
import { isTemporary, retryDelayMs, waitToRetry } from './wait-to-retry.ts'

test('waits between attempts grow up to a minute', () => {
  assert.deepEqual([1, 2, 3, 20].map(retryDelayMs), [1_000, 2_000, 4_000, 60_000])
})

test('calls without a response, and those refused by a busy or broken server, may succeed later', () => {
  const errors = [undefined, 500, 502, 503, 429, 408].map((status) =>
    Object.assign(new TransportError('no'), { status }),
  )
  assert.ok(errors.every(isTemporary))
  assert.ok(![400, 401, 403, 404].some((status) => isTemporary({ status })))
})

/** Starts a wait after a failure, and returns its length and whether it has ended. */
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

test('a wait before a retry ends when the server answers again', async (t) => {
  const { waitMs, hasEnded } = startWait(t, { status: 503 })
  assert.equal(waitMs, 1_000)
  assert.equal(await hasEnded(), false)
  connection.value = { status: 'live' }
  assert.equal(await hasEnded(), true)
})

test('a wait before a retry is as long as the server asks, even if other requests are answered', async (t) => {
  const refuse: typeof fetch = async () =>
    new Response('{"result":"error","code":"RATE_LIMIT_HIT","msg":""}', {
      status: 429,
      headers: { 'retry-after': '20' },
    })
  const client = createClient({ url: 'http://garden.example', credentials: 'session', fetch: refuse })
  const error = await client.users.me().catch((error: unknown) => error)
  const { waitMs, hasEnded } = startWait(t, error)
  assert.equal(waitMs, 20_000)
  connection.value = { status: 'live' }
  assert.equal(await hasEnded(), false)
})
