import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@oxbow/sdk'
import { addUserByOperator } from '@oxbow/server'
import {
  createGarden,
  eventually,
  type Stopwatch,
  startNodeProcess,
  startPostgresServer,
  startStopwatch,
  startTcpProxy,
  withApp,
} from '@oxbow/testkit'
import { borrowBrowser } from '@oxbow/testkit/browser'
import { bySize } from '@oxbow/testkit/size'
import pg from 'pg'
import { collectProblems, openContext, signInAt } from '../open-client.ts'
import {
  expectSameAsServer,
  measureUntilUnread,
  readUnread,
  type ShownTopic,
  scrollToOldest,
  turnWheel,
  type WatchedPage,
  watchPage,
  write,
} from './watched-page.ts'

/** Maximum time between the first event that a plain poll gets and the reconnection of a page. */
const maxPauseMs = 6_000
/** Maximum time between the first event that a plain poll gets and its display in a page. */
const maxShownMs = 10_000
const historyLength = bySize({ gate: 260, long: 1_000 })
const outageMs = bySize({ gate: 6_000, long: 10_000 })
const kills = bySize({ gate: 1, long: 5 })

await using starting = new AsyncDisposableStack()
const postgres = starting.use(await startPostgresServer({ database: 'oxbow_web_faults' }))
const database_url = postgres.url('oxbow_web_faults')
const env = { OXBOW_WEB_DIR: process.env.OXBOW_WEB_DIR ?? '' }
let first = await startNodeProcess({ database_url, env })
starting.defer(() => first[Symbol.asyncDispose]())
const second = starting.use(await startNodeProcess({ database_url, env }))
/** The network of the page that is offline during each fault. */
const network = starting.use(await startTcpProxy(second.port))
const pool = new pg.Pool({ connectionString: database_url, max: 1 })
pool.on('error', () => {})
starting.defer(() => pool.end())
const { browser } = starting.use(await borrowBrowser())
const owned = starting.move()
after(() => owned.disposeAsync())

const people = await addPeople('iris', 'otto', 'vera', 'fern')
const [iris, otto, vera, fern] = people as [Account, Account, Account, Account]
/** Returns an API client of the second node, which is never killed. */
const accountOf = ({ email, api_key }: Account) =>
  createClient({ url: second.url, credentials: { email, api_key } })
const sender = accountOf(fern)
const garden = await createStream('garden')
// No page opens this stream, so its unread count is the number of events that a page has received.
const meadow = await createStream('meadow')

const roses: ShownTopic = {
  stream: garden,
  topic: 'roses',
  async listStored() {
    const { rows } = await pool.query(
      "select id::int from message where folded_topic = 'roses' and not is_private order by id",
    )
    return rows.map(({ id }) => id)
  },
}
const sendRose = (content: string) =>
  sender.messages.send({ type: 'stream', to: 'garden', topic: 'roses', content })
const sendGrass = (content: string) =>
  sender.messages.send({ type: 'stream', to: 'meadow', topic: 'grass', content })

for (let start = 0; start < historyLength; start += 20)
  await Promise.all(Array.from({ length: 20 }, (_, index) => sendRose(`Rose ${start + index}`)))
for (const person of people) await accountOf(person).messages.markStreamRead({ stream_id: garden.stream_id })

const problems: string[] = []
const a = await openPage('A', iris, first.url)
const b = await openPage('B', otto, second.url)
const c = await openPage('C', vera, `http://127.0.0.1:${network.port}`)

interface Account {
  user_id: number
  email: string
  api_key: string
  password: string
}

async function addPeople(...names: string[]): Promise<Account[]> {
  return withApp(database_url, async (app) => {
    await createGarden(app, { streams: false })
    const accounts: Account[] = []
    for (const name of names) {
      const password = `a long password of ${name}`
      const person = { subdomain: '', email: `${name}@garden.example`, full_name: name, password }
      accounts.push({ ...(await addUserByOperator(app, { ...person, role: 'member' })), password })
    }
    return accounts
  })
}

async function createStream(name: string) {
  const principals = people.map(({ user_id }) => user_id as never)
  await sender.subscriptions.subscribe({ subscriptions: [{ name }], principals })
  const { stream_id } = await sender.streams.getId({ stream: name })
  return { name, stream_id }
}

async function openPage(name: string, person: Account, url: string): Promise<WatchedPage> {
  const context = await openContext(browser)
  await signInAt(url, context, person)
  const page = await context.newPage()
  collectProblems(page, problems)
  await page.goto(`${url}/#narrow/stream/${garden.stream_id}-garden/topic/roses`)
  return watchPage(name, page, accountOf(person))
}

/** Returns the unread count that a page should show for the meadow. */
async function countMeadow(): Promise<number> {
  const { rows } = await pool.query("select count(*)::int as count from message where topic = 'grass'")
  return rows[0].count
}

/** Sends messages to both streams through the second node until `stop` is called. */
function startTraffic(name: string): AsyncDisposable & { stop(): Promise<void> } {
  let isStopped = false
  const sending = (async () => {
    for (let count = 1; !isStopped; count++) {
      await sendRose(`Rose ${count} ${name}`)
      await sendGrass(`Grass ${count} ${name}`)
      await setTimeout(50)
    }
  })()
  const stop = () => {
    isStopped = true
    return sending
  }
  return { stop, [Symbol.asyncDispose]: stop }
}

/**
 * Starts a stopwatch that runs only while this process, the database, both nodes and the connected pages respond
 * quickly.
 */
const startSystemStopwatch = () =>
  startStopwatch({
    async query() {
      await Promise.all([
        pool.query('select'),
        ...[first, second].map(({ url }) => fetch(`${url}/health`)),
        ...[a, b].map(({ page }) => page.evaluate('undefined')),
      ])
      return []
    },
  })

/** Registers a queue that only the test polls, as a reference: a busy machine slows it down like a page. */
async function startProbe(): Promise<{ measure(url: string, stopwatch: Stopwatch): Promise<number> }> {
  const { email, api_key } = fern
  const { queue_id, last_event_id } = await sender.events.register({
    event_types: ['message'],
    fetch_event_types: [],
  })
  assert.ok(queue_id)
  return {
    /** Returns the time of the stopwatch when a poll of the queue returns the first event. */
    async measure(url, stopwatch) {
      const { events } = createClient({ url, credentials: { email, api_key } })
      const poll = () => events.poll({ queue_id, last_event_id, dont_block: true })
      await eventually(async () => ((await poll().catch(() => undefined))?.events.length ?? 0) > 0)
      return Math.round(stopwatch.elapsedMs())
    },
  }
}

async function goOffline(): Promise<void> {
  network.close()
  await c.page.context().setOffline(true)
}

/**
 * Reconnects the offline page, and compares every page with the server. Returns the milliseconds until the
 * offline page has received all events.
 */
async function expectSameEverywhere(): Promise<number> {
  const since = performance.now()
  network.pointTo(second.port)
  await c.page.context().setOffline(false)
  const backMs = await measureUntilUnread(c, meadow, await countMeadow(), since)
  for (const page of [a, b, c]) {
    await expectSameAsServer(page, roses)
    assert.ok(!page.requests.includes('register'), `${page.name} registered again`)
  }
  return backMs
}

for (let kill = 1; kill <= kills; kill++)
  test(`a page that sends and scrolls while its node is killed loses nothing (${kill})`, async (t) => {
    await goOffline()
    await using traffic = startTraffic(`of kill ${kill}`)
    const probe = await startProbe()
    await write(a, `Written before kill ${kill}`)
    await write(a, `Written just before kill ${kill}`)
    first.signal('SIGKILL')
    await turnWheel(a, -2_000)
    await first.exited
    a.eventAnswers.length = 0
    await write(a, `Written without a node ${kill}`)
    await write(b, `Written on the other node ${kill}`)
    for (let turns = 0; turns < 5; turns++) await turnWheel(a, -4_000)
    const shown = await readUnread(a, meadow)

    first = await startNodeProcess({ database_url, port: first.port, env })
    const answeredAt = performance.now()
    await using stopwatch = startSystemStopwatch()
    const measureUntilConnected = async () => {
      await eventually(() => a.eventAnswers.length > 0)
      return Math.round(stopwatch.elapsedMs())
    }
    const expected = await countMeadow()
    // A node sends the missed events with its response. How soon they are painted depends on the processors.
    const [pauseMs, pollMs, shownMs, catchUpMs] = await Promise.all([
      measureUntilConnected(),
      probe.measure(first.url, stopwatch),
      measureUntilUnread(a, meadow, shown + 1, answeredAt),
      measureUntilUnread(a, meadow, expected, answeredAt),
    ])
    t.diagnostic(
      `the page was connected ${pauseMs} ms after the node answered, a poll got events after ${pollMs} ms`,
    )
    t.diagnostic(`the first missed event was shown after ${shownMs} ms, all of them after ${catchUpMs} ms`)
    await traffic.stop()
    await scrollToOldest(a, roses)

    const backMs = await expectSameEverywhere()
    t.diagnostic(`the page without a network had all events ${backMs} ms after it was online`)
    assert.ok(
      pauseMs <= pollMs + maxPauseMs,
      `${pauseMs} ms after ${answeredAt}, a poll ${pollMs} ms: ${a.eventCalls.join('\n')}`,
    )
    for (const place of ['before kill', 'just before kill', 'without a node', 'on the other node'])
      await expectSentOnce(`Written ${place} ${kill}`)
  })

test('pages keep written messages while PostgreSQL is stopped, and send them when it is back', async (t) => {
  await goOffline()
  const probe = await startProbe()
  postgres.kill()
  for (const page of [a, b]) {
    await write(page, `Written by ${page.name} without a database`)
    await turnWheel(page, -4_000)
  }
  await setTimeout(outageMs)
  postgres.start()
  await eventually(() => isReady(first.url))
  await eventually(() => isReady(second.url))
  await eventually(() => sendGrass('Grass after the outage').catch(() => undefined))
  await using stopwatch = startSystemStopwatch()
  const expected = await countMeadow()
  const [pollMs, ...pauses] = await Promise.all([
    probe.measure(first.url, stopwatch),
    ...[a, b].map(async (page) => {
      await measureUntilUnread(page, meadow, expected, 0)
      return Math.round(stopwatch.elapsedMs())
    }),
  ])
  t.diagnostic(`the first event was shown after ${pauses.join(' and ')} ms, to a poll after ${pollMs} ms`)

  const backMs = await expectSameEverywhere()
  t.diagnostic(`the page without a network had all events ${backMs} ms after it was online`)
  for (const pauseMs of pauses)
    assert.ok(pauseMs <= pollMs + maxShownMs, `${pauseMs} ms, a poll ${pollMs} ms`)
  for (const { name } of [a, b]) await expectSentOnce(`Written by ${name} without a database`)
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(
    problems.filter((problem) => !/ERR_|Failed to fetch/.test(problem)),
    [],
  )
})

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/ready`).then(
    ({ ok }) => ok,
    () => false,
  )

async function expectSentOnce(text: string): Promise<void> {
  const { rows } = await pool.query('select from message where content = $1', [text])
  assert.equal(rows.length, 1, text)
}
