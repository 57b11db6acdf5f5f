import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from './index.ts'
import { TransportError } from './request.ts'

interface Sent {
  method: string
  key: string | null
}

/** Creates a client whose first calls have the given outcomes in order. Later calls succeed. */
function clientWithOutcomes(...outcomes: (() => Promise<Response>)[]) {
  const sent: Sent[] = []
  const send: typeof fetch = async (_, init) => {
    sent.push({ method: init?.method ?? '', key: new Headers(init?.headers).get('idempotency-key') })
    return (outcomes.shift() ?? succeed)()
  }
  const credentials = { email: 'iris@garden.example', api_key: 'k'.repeat(32) }
  return { sent, client: createClient({ url: 'http://garden.example', credentials, fetch: send }) }
}

const succeed = async () => new Response('{"result":"success","msg":""}')
const breakOff = async () => {
  throw new TypeError('fetch failed')
}
/** Sends the headers and the first half of the body, and then breaks the connection. */
const breakInTheMiddle = async () => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"result":"suc')),
    pull: (controller) => controller.error(new TypeError('terminated')),
  })
  return new Response(body)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('calls that change data have an idempotency key, and other calls have none', async () => {
  const { client, sent } = clientWithOutcomes()

  await client.users.deactivateMe()
  await client.users.deactivateMe()
  await client.users.me()
  await client.events.register()
  await client.users.regenerateApiKey()

  const [first, second, ...rest] = sent.map(({ key }) => key)
  for (const key of [first, second]) assert.match(key ?? '', uuid)
  assert.notEqual(first, second)
  assert.deepEqual(rest, [null, null, null])
})

test('a call with a key is retried once with the same key if the connection breaks', async () => {
  for (const failure of [breakOff, breakInTheMiddle]) {
    const { client, sent } = clientWithOutcomes(failure)

    await client.users.updateSettings({ full_name: 'Iris' })

    const [first, again, ...rest] = sent
    assert.deepEqual(again, first)
    assert.deepEqual(rest, [])
  }
})

test('a call that fails twice or has no key rejects with the TransportError', async () => {
  const isBroken = (error: unknown) => error instanceof TransportError && error.status === undefined
  const unlucky = clientWithOutcomes(breakOff, breakInTheMiddle)
  await assert.rejects(unlucky.client.users.deactivateMe(), isBroken)
  assert.equal(unlucky.sent.length, 2)

  for (const ask of ['register', 'poll'] as const) {
    const { client, sent } = clientWithOutcomes(breakOff)
    await assert.rejects(client.events[ask](), isBroken)
    assert.equal(sent.length, 1)
  }
})

test('a call with an error response is not retried', async () => {
  for (const status of [400, 429, 500, 502]) {
    const { client, sent } = clientWithOutcomes(async () => new Response('<html>', { status }))
    await assert.rejects(client.users.deactivateMe(), { status })
    assert.equal(sent.length, 1)
  }
})

test('an aborted call rejects with the reason and is not retried', async () => {
  const leaving = new AbortController()
  const { client, sent } = clientWithOutcomes(async () => {
    leaving.abort(new Error('gone to lunch'))
    throw new DOMException('aborted', 'AbortError')
  })

  await assert.rejects(client.users.deactivateMe({}, { signal: leaving.signal }), {
    message: 'gone to lunch',
  })
  assert.equal(sent.length, 1)
})
