import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { followEvents } from '../index.ts'
import type { State } from '../state/state.ts'
import type { Followed, FollowOptions } from './follow.ts'

type Answer = (response: ServerResponse, request: IncomingMessage) => void

const iris = {
  user_id: 7,
  full_name: 'Iris',
  realm_users: [],
  realm_non_active_users: [],
  realm_bots: [{ user_id: 2, full_name: 'Parrot', api_key: 'a secret', services: [] }],
}

/** Starts a server that answers polls with these responses in order, and leaves later polls unanswered. */
async function scripted(...answers: Answer[]) {
  const requests: string[] = []
  const waiting = new Set<ServerResponse>()
  let queues = 0
  const server = createServer((request, response) => {
    const { searchParams, pathname } = new URL(request.url ?? '', 'http://garden.example')
    const resumed = request.headers['last-event-id']
    const isAtOnce = searchParams.get('dont_block') === 'true'
    const place = `${searchParams.get('queue_id')} ${searchParams.get('last_event_id')}${isAtOnce ? ' at once' : ''}`
    if (pathname.endsWith('/register')) {
      requests.push('register')
      return succeed({ ...iris, queue_id: `q${++queues}`, last_event_id: 0 })(response, request)
    }
    if (request.method === 'DELETE') {
      requests.push(`delete ${searchParams.get('queue_id')}`)
      return succeed({})(response, request)
    }
    requests.push(resumed === undefined ? `poll ${place}` : `stream ${place}, from ${resumed}`)
    const answer = answers.shift()
    if (answer) return answer(response, request)
    waiting.add(response)
    response.on('close', () => waiting.delete(response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const follow = (given: FollowOptions = {}) =>
    followEvents({ url: `http://127.0.0.1:${port}` }, { backoff: { firstMs: 10, maxMs: 50 }, ...given })
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { requests, waiting, follow, [Symbol.asyncDispose]: stop }
}

const succeed =
  (fields: object): Answer =>
  (response) =>
    response.end(JSON.stringify({ result: 'success', msg: '', ...fields }))

const refuse =
  (status: number, code: string, msg: string, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, headers).end(JSON.stringify({ result: 'error', code, msg, queue_id: 'q1' }))

const badQueue = refuse(400, 'BAD_EVENT_QUEUE_ID', 'Bad event queue id: q1')
const renamed = (id: number) => ({
  id,
  type: 'realm_user',
  op: 'update',
  person: { user_id: 7, full_name: `Name ${id}` },
})
const heartbeat = (id: number) => ({ id, type: 'heartbeat' })
const deliver = (...events: object[]) => succeed({ events })
const breakOff: Answer = (response) => response.socket?.destroy()
const breakInTheMiddle: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' })
  response.write('{"result":', () => response.socket?.destroy())
}

const stream =
  (blocks: string[], ending: 'ends' | 'stays' | 'breaks' = 'ends'): Answer =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(`retry: 1000\n\n${blocks.join('')}`, () => {
      if (ending === 'ends') response.end()
      if (ending === 'breaks') response.socket?.destroy()
    })
  }
const block = (event: { id: number }) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`

const describe = (item: Followed) => (item.kind === 'state' ? 'state' : item.event.id)

async function take(follower: AsyncIterable<Followed>, count: number): Promise<Followed[]> {
  const items: Followed[] = []
  for await (const item of follower) if (items.push(item) === count) break
  return items
}

test('followEvents yields the state, then each event with the state after it, without heartbeats', async () => {
  await using server = await scripted(
    deliver(renamed(1), renamed(3)),
    deliver(heartbeat(8)),
    deliver(renamed(9)),
  )

  const followed = await take(server.follow(), 4)

  assert.deepEqual(followed.map(describe), ['state', 1, 3, 9])
  assert.deepEqual(
    followed.map(({ state }) => state.full_name),
    ['Iris', 'Name 1', 'Name 3', 'Name 9'],
  )
  assert.deepEqual(server.requests, ['register', 'poll q1 0', 'poll q1 3', 'poll q1 8', 'delete q1'])
})

test('followEvents continues after a temporary failure without repeating events', async () => {
  await using server = await scripted(
    deliver(renamed(1)),
    breakOff,
    breakInTheMiddle,
    refuse(500, 'INTERNAL_ERROR', 'Internal server error'),
    (response) => response.writeHead(502).end('<html>'),
    deliver(),
    deliver(renamed(1), renamed(2)),
  )
  const troubles: unknown[] = []

  const followed = await take(server.follow({ onTrouble: (error) => troubles.push(error) }), 3)

  assert.deepEqual(followed.map(describe), ['state', 1, 2])
  assert.equal(troubles.length, 4)
  assert.deepEqual(server.requests, [
    ...['register', 'poll q1 0', 'poll q1 1'],
    ...Array(4).fill('poll q1 1 at once'),
    ...['poll q1 1', 'delete q1'],
  ])
})

test('followEvents waits for the time in Retry-After', async () => {
  const busy = (seconds: string) => refuse(429, 'RATE_LIMIT_HIT', 'Slow down', { 'retry-after': seconds })
  const busyForAMinute: Answer = (response, request) =>
    busy(new Date(Date.now() + 60_000).toUTCString())(response, request)
  await using server = await scripted(busy('0.2'), busyForAMinute, badQueue)
  const waits: number[] = []
  const leaving = new AbortController()
  const onTrouble = (_: unknown, wait: number) => {
    if (waits.push(wait) === 2) leaving.abort()
  }

  const followed = await take(server.follow({ onTrouble, signal: leaving.signal }), 9)

  assert.deepEqual(followed.map(describe), ['state'])
  assert.ok((waits[0] ?? 0) >= 200 && (waits[1] ?? 0) > 30_000, String(waits))
})

test('followEvents registers again and yields the new state if the queue is lost', async () => {
  await using server = await scripted(deliver(renamed(5)), badQueue, deliver(renamed(2)))

  const followed = await take(server.follow(), 4)

  assert.deepEqual(followed.map(describe), ['state', 5, 'state', 2])
  assert.equal(followed[2]?.state.full_name, 'Iris')
  assert.deepEqual(server.requests, [
    'register',
    'poll q1 0',
    'poll q1 5',
    'register',
    'poll q2 0',
    'delete q2',
  ])
})

test('followEvents throws permanent errors', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    await using server = await scripted(refuse(401, 'USER_DEACTIVATED', 'Account is deactivated'))

    await assert.rejects(take(server.follow({ transport }), 2), {
      status: 401,
      errorName: 'ACCOUNT_DEACTIVATED',
    })

    assert.equal(server.requests.filter((line) => /^(poll|stream)/.test(line)).length, 1)
  }
})

test('ending the iteration during a poll aborts it and deletes the queue', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    for (const how of ['return', 'abort'] as const) {
      await using server = await scripted()
      const leaving = new AbortController()
      const follower = server.follow({ transport, signal: leaving.signal })
      await follower.next()
      const next = follower.next()
      while (server.waiting.size === 0) await new Promise(setImmediate)

      if (how === 'abort') leaving.abort()
      else await follower.return()

      assert.deepEqual(await next, { done: true, value: undefined })
      assert.deepEqual(await follower.next(), { done: true, value: undefined })
      while (server.waiting.size > 0) await new Promise(setImmediate)
      assert.equal(server.requests.at(-1), 'delete q1')
    }
  }
})

test('an already aborted signal prevents any request', async () => {
  await using server = await scripted()

  assert.deepEqual(await take(server.follow({ signal: AbortSignal.abort() }), 1), [])

  assert.deepEqual(server.requests, [])
})

test('an event stream delivers many events in one response and resumes after the last', async () => {
  await using server = await scripted(
    stream([block(renamed(1)), block(renamed(2)), 'id: 6\n: still here\n\n'], 'ends'),
    stream([block(renamed(7)), 'id: 8\ndata: {"id":8,'], 'breaks'),
    stream([block(renamed(7)), block(renamed(8))], 'stays'),
  )

  const followed = await take(server.follow({ transport: 'stream' }), 5)

  assert.deepEqual(followed.map(describe), ['state', 1, 2, 7, 8])
  assert.equal(followed.at(-1)?.state.full_name, 'Name 8')
  const streams = ['stream q1 0, from 0', 'stream q1 6, from 6', 'stream q1 7, from 7']
  assert.deepEqual(server.requests, ['register', ...streams, 'delete q1'])
})

test('all events that arrive together except the last one are marked', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    const events = [renamed(1), renamed(2), renamed(3), heartbeat(4)]
    const answer = transport === 'poll' ? deliver(...events) : stream(events.map(block), 'stays')
    await using server = await scripted(answer)

    const followed = await take(server.follow({ transport }), 4)

    const marks = followed.map((item) => item.kind === 'event' && item.hasMore)
    assert.deepEqual(marks, [false, true, true, undefined], transport)
  }
})

test('an error sent in an event stream is handled like an error response', async () => {
  const error = (code: string, msg: string) =>
    `event: error\ndata: ${JSON.stringify({ result: 'error', code, msg, queue_id: 'q1' })}\n\n`
  await using server = await scripted(
    stream([block(renamed(1)), error('BAD_EVENT_QUEUE_ID', 'Bad event queue id: q1')]),
    stream([error('INTERNAL_ERROR', 'Internal server error')]),
    stream([error('INVALID_API_KEY', 'Invalid API key')]),
  )
  const items: Followed[] = []
  const follower = server.follow({ transport: 'stream' })

  await assert.rejects(
    async () => {
      for await (const item of follower) items.push(item)
    },
    { status: 401, message: 'Invalid API key' },
  )

  assert.deepEqual(items.map(describe), ['state', 1, 'state'])
})

test('followEvents falls back to polling if the server sends no event stream', async () => {
  await using server = await scripted(deliver(renamed(1)), breakOff, deliver(renamed(2)))

  const followed = await take(server.follow({ transport: 'stream' }), 3)

  assert.deepEqual(followed.map(describe), ['state', 1, 2])
  assert.deepEqual(server.requests.slice(1, -1), ['stream q1 0, from 0', 'poll q1 1', 'poll q1 1 at once'])
})

test('followEvents reconnects if the server is silent for too long', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    const silent: Answer = transport === 'poll' ? () => {} : stream([], 'stays')
    const answer = transport === 'poll' ? deliver(renamed(1)) : stream([block(renamed(1))])
    // On a busy machine an answer can arrive after the silence, so that the client asks again.
    await using server = await scripted(silent, ...Array<Answer>(200).fill(answer))

    const followed = await take(server.follow({ transport, maxSilenceMs: 300 }), 2)

    assert.deepEqual(followed.map(describe), ['state', 1])
  }
})

test('a slow consumer does not count as silence of the server', async (t) => {
  await using server = await scripted(stream([block(renamed(1)), block(renamed(2))], 'stays'))
  const follower = server.follow({ transport: 'stream', maxSilenceMs: 60_000 })
  t.mock.timers.enable({ apis: ['setTimeout'] })

  const items: Followed[] = []
  for await (const item of follower) {
    items.push(item)
    t.mock.timers.tick(90_000)
    if (items.length === 3) break
  }

  assert.deepEqual(server.requests, ['register', 'stream q1 0, from 0', 'delete q1'])
})

test('followEvents omits secrets of bots if asked to', async () => {
  const bot = { user_id: 3, full_name: 'Herald', api_key: 'secret key', services: [] }
  const added = { id: 1, type: 'realm_bot', op: 'add', bot }
  for (const omitsBotSecrets of [true, false]) {
    await using server = await scripted(deliver(added))

    const [registered, event] = await take(server.follow({ omitsBotSecrets }), 2)

    assert.equal(JSON.stringify(registered).includes('secret'), !omitsBotSecrets)
    assert.equal(JSON.stringify(event).includes('secret'), !omitsBotSecrets)
  }
})

const kept = { ...iris, queue_id: 'q7', last_event_id: 4 } as unknown as State

test('a resumed queue begins with a poll that does not wait, and registers nothing', async () => {
  await using server = await scripted(deliver(), deliver(renamed(6)))

  const followed = await take(server.follow({ resume: kept, keepsQueue: true }), 1)

  assert.deepEqual(followed.map(describe), [6])
  assert.equal(followed[0]?.state.full_name, 'Name 6')
  assert.equal(followed[0]?.state.last_event_id, 6)
  assert.deepEqual(server.requests, ['poll q7 4 at once', 'poll q7 4'])
})

test('onRecovered is called when the server first responds for a resumed queue', async () => {
  await using server = await scripted(deliver(), deliver(renamed(6)))
  const calls: string[] = []

  const followed = await take(
    server.follow({ resume: kept, keepsQueue: true, onRecovered: () => calls.push('recovered') }),
    1,
  )

  assert.deepEqual([followed.map(describe), calls], [[6], ['recovered']])
})

test('a resumed queue that the server no longer has is replaced by a new one', async () => {
  const notInQueue = refuse(400, 'BAD_REQUEST', 'Event 4 was not in this queue')
  for (const lost of [badQueue, notInQueue]) {
    await using server = await scripted(lost, deliver(renamed(2)))

    const followed = await take(server.follow({ resume: kept }), 2)

    assert.deepEqual(followed.map(describe), ['state', 2])
    assert.deepEqual(server.requests, ['poll q7 4 at once', 'register', 'poll q1 0', 'delete q1'])
  }
})

test('a kept queue can be resumed from the last state by another follower', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    const answer = transport === 'poll' ? deliver : (...events: { id: number }[]) => stream(events.map(block))
    await using server = await scripted(answer(renamed(1), renamed(2)), answer(renamed(2), renamed(3)))

    const first = await take(server.follow({ transport, keepsQueue: true }), 2)
    const resume = first.at(-1)?.state as State
    const second = await take(server.follow({ transport, resume, keepsQueue: true }), 2)

    assert.deepEqual([...first, ...second].map(describe), ['state', 1, 2, 3])
    assert.deepEqual(
      server.requests.filter((line) => /register|delete/.test(line)),
      ['register'],
    )
  }
})

test('a stream is replaced by polls if its first byte does not arrive in time, also after a new registration', async () => {
  const headersOnly: Answer = (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' }).flushHeaders()
  }
  for (const holdBack of [() => {}, headersOnly]) {
    await using server = await scripted(holdBack, deliver(renamed(1)), badQueue, deliver(renamed(2)))

    const followed = await take(server.follow({ transport: 'stream', maxFirstByteMs: 100 }), 4)

    assert.deepEqual(followed.map(describe), ['state', 1, 'state', 2])
    assert.deepEqual(server.requests, [
      ...['register', 'stream q1 0, from 0', 'poll q1 0', 'poll q1 1'],
      ...['register', 'poll q2 0', 'delete q2'],
    ])
  }
})

test('a stream is not replaced if its first byte arrives in time', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let sendMore = () => {}
  await using server = await scripted((response) => {
    stream([block(renamed(1))], 'stays')(response, response.req)
    sendMore = () => response.write(block(renamed(2)))
  })
  const follower = server.follow({ transport: 'stream' })
  await follower.next()
  await follower.next()

  t.mock.timers.tick(6_000)
  sendMore()

  assert.equal(describe((await follower.next()).value as Followed), 2)
  await follower.return()
  assert.deepEqual(server.requests, ['register', 'stream q1 0, from 0', 'delete q1'])
})

test('wake ends the wait after a failure immediately', async () => {
  await using server = await scripted(breakOff, deliver(renamed(1)))
  const waits: number[] = []
  const follower = server.follow({
    backoff: { firstMs: 1e8, maxMs: 1e9 },
    onTrouble: (_, wait) => {
      waits.push(wait)
      setImmediate(() => follower.wake())
    },
  })

  const followed = await take(follower, 2)

  assert.deepEqual(followed.map(describe), ['state', 1])
  assert.ok((waits[0] ?? 0) >= 5e7)
})

test('reconnect replaces a waiting connection without reporting trouble or losing events', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    const silent: Answer = transport === 'poll' ? () => {} : stream([], 'stays')
    const answer = transport === 'poll' ? deliver(renamed(1)) : stream([block(renamed(1))])
    await using server = await scripted(silent, answer)
    const troubles: unknown[] = []
    const follower = server.follow({ transport, onTrouble: (error) => troubles.push(error) })
    await follower.next()
    const next = follower.next()
    while (server.requests.length < 2) await new Promise(setImmediate)

    follower.reconnect()

    assert.equal(describe((await next).value as Followed), 1)
    assert.deepEqual(troubles, [])
    await follower.return()
  }
})

test('onCaughtUp is called when all events of a new connection were consumed', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    const answer =
      transport === 'poll'
        ? deliver(renamed(5), renamed(6))
        : stream([...[renamed(5), renamed(6)].map(block), 'id: 6\n: still here\n\n'], 'stays')
    await using server = await scripted(answer)
    const seen: (string | number)[] = []
    const follower = server.follow({
      resume: kept,
      keepsQueue: true,
      transport,
      onCaughtUp: () => seen.push('caught up'),
    })
    for (let count = 0; count < 2; count++) {
      const { value } = await follower.next()
      seen.push(describe(value as Followed))
    }
    assert.deepEqual(seen, [5, 6])
    const last = follower.next()
    while (seen.length < 3) await new Promise(setImmediate)
    assert.deepEqual(seen, [5, 6, 'caught up'])
    await follower.return()
    await last
  }
})

test('onRecovered is called once when the server responds again, even if there are no events', async () => {
  for (const transport of ['poll', 'stream'] as const) {
    const quiet = transport === 'poll' ? deliver() : stream([], 'stays')
    await using server = await scripted(breakOff, breakOff, quiet)
    const calls: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const follower = server.follow({
      transport,
      onTrouble: () => calls.push('trouble'),
      onRecovered: () => {
        calls.push('recovered')
        resolve()
      },
    })
    await follower.next()
    const next = follower.next()

    await promise
    await follower.return()
    await next

    assert.deepEqual(calls, ['trouble', 'trouble', 'recovered'])
  }
})
