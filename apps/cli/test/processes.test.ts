import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { basic, createTestDatabase, eventually, request, type TestDatabase } from '@oxbow/testkit'
import { type CommandEnvironment, environmentFor, runOxbow } from './run-oxbow.ts'
import {
  ask,
  findProcessOf,
  type ServedProcesses,
  serveProcesses,
  startLoad,
  startMs,
} from './serve-processes.ts'

const token = 'a token for metrics 51'
const strangerLimit = 40
let database: TestDatabase
let environment: CommandEnvironment
let served: ServedProcesses
let owner: { email: string; api_key: string; user_id: number }
let headers: Record<string, string>

before(async () => {
  database = await createTestDatabase()
  await database.query('delete from server')
  environment = environmentFor(database.url)
  Object.assign(environment.env, {
    OXBOW_METRICS_TOKEN: token,
    OXBOW_METRICS_LISTEN: 'off',
    OXBOW_RATE_LIMIT_PER_MINUTE: '0',
    OXBOW_STRANGER_LIMIT_PER_MINUTE: String(strangerLimit),
    // Longer than a busy machine stalls: a client that stalls must notice in time that its connection ends.
    OXBOW_DRAIN_SECONDS: '12',
    OXBOW_LINK_PREVIEWS: 'false',
    OXBOW_LOG_LEVEL: 'warn',
  })
  const ownerOptions = ['--owner-email', 'me@example.com', '--owner-name', 'My Name', '--json']
  owner = JSON.parse(
    (await runOxbow(environment, 'organization', 'create', '--name', 'Our team', ...ownerOptions)).stdout,
  )
  headers = { authorization: basic(owner) }
  served = await serveProcesses(environment, 2)
})
after(async () => {
  await served?.[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const readMetrics = async () =>
  (await ask(`${served.url}/metrics`, { authorization: `Bearer ${token}` }, false)).body

interface Queue {
  queue_id: string
  last_event_id: number
}

async function registerQueue(): Promise<Queue> {
  const form = { event_types: JSON.stringify(['message']) }
  const { body } = await request(served.url, {
    method: 'POST',
    path: '/api/v1/register',
    credentials: owner,
    form,
  })
  return body as unknown as Queue
}

const pollUrl = ({ queue_id, last_event_id }: Queue) =>
  `${served.url}/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`

async function sendToSelf(content: string): Promise<void> {
  const form = { type: 'private', to: JSON.stringify([owner.user_id]), content }
  const { status } = await request(served.url, {
    method: 'POST',
    path: '/api/v1/messages',
    credentials: owner,
    form,
  })
  assert.equal(status, 200)
}

/** Returns the number of requests for `users.me` that each process has counted. */
const countRequests = (metrics: string) =>
  [...metrics.matchAll(/oxbow_http_request_seconds_count\{(.*)\} (\d+)/g)]
    .filter(([, labels]) => labels?.includes('endpoint="users.me"'))
    .map(([, labels, count]) => ({ process: /process="(\d)"/.exec(labels ?? '')?.[1], count: Number(count) }))

test('one scrape has the metrics of all processes, and both have served requests', async () => {
  for (let i = 0; i < 10; i++) {
    assert.equal((await ask(`${served.url}/api/v1/users/me`, headers, false)).outcome, 200)
  }
  // A process that does not answer within two seconds is left out of a scrape.
  const text = await eventually(async () => {
    const scraped = await readMetrics()
    return countRequests(scraped).length === 2 && scraped
  })
  const counts = countRequests(text)
  assert.deepEqual(counts.map(({ process }) => process).sort(), ['1', '2'])
  assert.equal(
    counts.reduce((sum, { count }) => sum + count, 0),
    10,
  )
  assert.equal(text.match(/^# HELP oxbow_http_request_seconds /gm)?.length, 1)
  assert.match(text, /^oxbow_processes 2$/m)
  // An alert reads this metric.
  assert.match(text, /^oxbow_processes_replaced_total \d+$/m)
})

test('the limit for requests without an account holds for all processes together', async () => {
  let admitted = 0
  for (let i = 0; i < 2 * strangerLimit; i++) {
    const { outcome } = await ask(`${served.url}/api/v1/server_settings`, {}, false)
    if (outcome === 200) admitted++
  }
  // Separate counts would admit all requests. A count reaches the other process after some milliseconds.
  assert.ok(admitted >= strangerLimit && admitted < 1.5 * strangerLimit, `${admitted} were admitted`)
})

test('a killed process breaks its own requests and no others, and is replaced', async () => {
  const pids = served.pids()
  const [killed = 0] = pids
  const queues = await Promise.all(Array.from({ length: 8 }, registerQueue))
  const ports: number[] = []
  const polls = queues.map((queue, index) =>
    ask(pollUrl(queue), headers, false, (port) => {
      ports[index] = port
    }),
  )
  const owners = await eventually(() => {
    const found = queues.map((_, index) => findProcessOf(ports[index] ?? 0, served.url, pids))
    return found.every((pid) => pid !== undefined) ? found : undefined
  }, startMs)
  const load = startLoad(`${served.url}/api/v1/users/me`, headers, 6)
  await eventually(() => load.count() > 100, startMs)

  process.kill(killed, 'SIGKILL')

  const atKill = load.count()
  await eventually(() => load.count() > atKill + 100, startMs)
  await eventually(() => served.pids().length === 2 && !served.pids().includes(killed), startMs)
  const outcomes = await load.stop()
  const { 200: succeeded = 0, ...failed } = outcomes
  // Each of the six connections has at most one request under way.
  const failures = Object.values(failed).reduce((sum, count) => sum + count, 0)
  assert.ok(failures <= 6 && succeeded > 100, JSON.stringify(outcomes))
  await sendToSelf('for the polls that are left')
  const answers = await Promise.all(polls)
  assert.deepEqual(
    answers.map(({ outcome }) => outcome === 200),
    owners.map((pid) => pid !== killed),
  )
  assert.ok(owners.includes(killed))
  await eventually(() => /process 1 ended by SIGKILL; it is replaced/.test(served.output()), startMs)
})

test('a connection that was given to a stopped process is closed when the process dies', async () => {
  const [stopped = 0] = await eventually(() => (served.pids().length === 2 ? served.pids() : undefined))
  process.kill(stopped, 'SIGSTOP')
  // Connections are given out in turn, so at least one of these is on its way to the stopped process.
  const waiting = Array.from({ length: 4 }, () => ask(`${served.url}/health`, {}, false))
  const answered = await eventually(async () => {
    const settled = await Promise.all(
      waiting.map((answer) => Promise.race([answer, new Promise((resolve) => setTimeout(resolve, 50))])),
    )
    const count = settled.filter(Boolean).length
    return count >= 3 ? count : undefined
  }, startMs)
  assert.equal(answered, 3)
  process.kill(stopped, 'SIGKILL')
  const outcomes = (await Promise.all(waiting)).map(({ outcome }) => outcome)
  assert.equal(outcomes.filter((outcome) => outcome === 200).length, 3)
  await eventually(() => served.pids().length === 2 && !served.pids().includes(stopped), startMs)
})

test('a rolling restart replaces all processes, fails no request, and clients of events resume', async () => {
  const before = await eventually(async () => {
    const { body } = await ask(`${served.url}/ready`, {}, false)
    return body.includes('ready') && served.pids().length === 2 ? served.pids() : undefined
  }, startMs)
  const load = startLoad(`${served.url}/api/v1/users/me`, headers, 6)
  const readiness = startLoad(`${served.url}/ready`, {}, 2)
  const poller = startPoller(await registerQueue())
  const follower = startFollower(await registerQueue())
  await eventually(() => load.count() > 50, startMs)

  process.kill(served.pid, 'SIGHUP')

  await eventually(() => {
    const now = served.pids()
    return now.length === 2 && now.every((pid) => !before.includes(pid))
  }, 2 * startMs)
  await sendToSelf('after the restart')
  await eventually(
    () => poller.received('after the restart') && follower.received('after the restart'),
    startMs,
  )
  assert.deepEqual(Object.keys(await load.stop()), ['200'])
  assert.deepEqual(Object.keys(await readiness.stop()), ['200'])
  assert.deepEqual([poller.failures(), follower.failures()], [[], []])
  poller.stop()
  follower.stop()
})

/** Polls a queue again and again, like a client. */
function startPoller(queue: Queue) {
  const failures: unknown[] = []
  let texts = ''
  let isStopped = false
  const poll = async () => {
    while (!isStopped) {
      const { outcome, body } = await ask(pollUrl(queue), headers, false)
      if (outcome !== 200) failures.push(outcome)
      else {
        texts += body
        const { events } = JSON.parse(body) as { events: { id: number }[] }
        queue.last_event_id = Math.max(queue.last_event_id, ...events.map(({ id }) => id))
      }
    }
  }
  void poll()
  return {
    failures: () => failures,
    received: (text: string) => texts.includes(text),
    stop: () => {
      isStopped = true
    },
  }
}

/** Reads an event stream, and opens it again when it ends, like a browser. */
function startFollower(queue: Queue) {
  const failures: unknown[] = []
  let texts = ''
  const stopping = new AbortController()
  const follow = async () => {
    while (!stopping.signal.aborted) {
      const response = await fetch(pollUrl(queue), {
        headers: { ...headers, accept: 'text/event-stream' },
        signal: stopping.signal,
      })
      if (!response.ok || !response.body) return failures.push(response.status)
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        texts += chunk
        for (const [, id] of chunk.matchAll(/^id: ?(\d+)$/gm)) queue.last_event_id = Number(id)
      }
    }
    return undefined
  }
  void follow().catch((error) => {
    if (!stopping.signal.aborted) failures.push(error)
  })
  return {
    failures: () => failures,
    received: (text: string) => texts.includes(text),
    stop: () => stopping.abort(),
  }
}

test('SIGTERM stops all processes and ends with success', async () => {
  const pids = served.pids()
  process.kill(served.pid, 'SIGTERM')
  assert.equal(await served.exited, 0)
  for (const pid of pids) assert.throws(() => process.kill(pid, 0))
})

test('serve explains that PostgreSQL does not accept enough connections for all processes', async () => {
  const { env } = environment
  const { status, stderr } = await runOxbow(
    { env: { ...env, OXBOW_DATABASE_POOL_SIZE: '500' } },
    'serve',
    '--processes',
    '3',
    '--port',
    '0',
  )
  assert.equal(status, 1)
  assert.match(stderr, /3 processes open up to 1509 connections .* accepts only \d+/)
  assert.match(stderr, /Raise max_connections/)
})
