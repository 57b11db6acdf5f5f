import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createClient } from '@oxbow/sdk'
import {
  eventually,
  hasFakeClock,
  makeFakeClock,
  startNodeProcess,
  startStopwatch,
  startTcpProxy,
  type TcpProxy,
} from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import type { BrowserContext } from 'playwright-core'
import { startGardenSite } from './garden-site.ts'
import {
  countUnread,
  expectSameAsServer,
  measureUntilShown,
  readUnread,
  scrollToOldest,
  turnWheel,
  type WatchedPage,
  watchPage,
  write,
} from './watched-page.ts'

/**
 * Maximum time until a page notices that events do not arrive. The page waits five seconds for the first
 * bytes of a stream, or for the event of its own message. The remaining time is for a busy machine.
 */
const maxFallbackMs = 12_000
/** Maximum time until a page requests events again, including half a second for a busy machine. */
const maxRetryMs = 2_000

const { site, iris, otto, garden, roses, hash, send, sendGrass, openBrowser } = await startGardenSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const nodePort = Number(new URL(world.nodes.b.url).port)

/** Opens a page through a proxy. */
async function openThrough(context: BrowserContext, proxy: TcpProxy, name = 'A'): Promise<WatchedPage> {
  site.url = `http://127.0.0.1:${proxy.port}`
  return watchPage(name, await site.openTab(context, hash), iris)
}

/**
 * Starts a stopwatch that runs only while this process, which also runs the nodes and proxies, the database and the
 * pages of a browser respond quickly.
 */
const startPageStopwatch = (context: BrowserContext) =>
  startStopwatch({
    async query() {
      await Promise.all([
        world.database.query('select'),
        ...context.pages().map((page) => page.evaluate('undefined')),
      ])
      return []
    },
  })

/** Returns the ids of the account's event queues in the database, newest first. */
async function listQueues(): Promise<string[]> {
  const rows = await world.database.query<{ id: string }>(
    'select id from event_queue where user_id = $1 order by created_at desc',
    [iris.user_id],
  )
  return rows.map(({ id }) => id)
}

test('a page falls back to polling if a proxy buffers the event stream', async (t) => {
  await using context = await openBrowser()
  await using proxy = await startTcpProxy(nodePort, { buffersEventStreams: true })
  await using stopwatch = startPageStopwatch(context)
  const { promise: fallback, resolve } = Promise.withResolvers<number>()
  let streamedAt = 0
  context.on('request', async (request) => {
    if (!request.url().includes('/api/v1/events?')) return
    const now = stopwatch.elapsedMs()
    if (request.headers().accept === 'text/event-stream') streamedAt = now
    else resolve(now - streamedAt)
  })
  const page = await openThrough(context, proxy)
  await send('Before the page uses polls')
  const fallbackMs = Math.round(await fallback)
  await measureUntilShown(page, 'Before the page uses polls', 0)
  const since = performance.now()
  await send('After the page uses polls')
  const pollMs = await measureUntilShown(page, 'After the page uses polls', since)
  await expectSameAsServer(page, roses)
  t.diagnostic(`on polls ${fallbackMs} ms after the stream was opened; then an event takes ${pollMs} ms`)
  assert.ok(fallbackMs <= maxFallbackMs, `${fallbackMs} ms`)
})

test('a page whose event stream stalls reconnects when the event of its own message does not arrive', async (t) => {
  await using context = await openBrowser()
  await using proxy = await startTcpProxy(nodePort, { findsEventStreams: true })
  const page = await openThrough(context, proxy)
  await send('Through the stream')
  await measureUntilShown(page, 'Through the stream', 0)
  proxy.swallowEventStreams()
  await sendGrass('Into the void')
  await send('Also into the void')
  await using stopwatch = startPageStopwatch(context)
  await write(page, 'Is anybody there?')
  await measureUntilShown(page, 'Also into the void', 0)
  const pauseMs = Math.round(stopwatch.elapsedMs())
  t.diagnostic(`missed events arrived ${pauseMs} ms after a message was sent`)
  await expectSameAsServer(page, roses)
  assert.ok(pauseMs <= maxFallbackMs, `${pauseMs} ms`)
  assert.ok(!page.requests.includes('register'))
})

test('the row of a sent message stays while the network drops all packets, however long', async () => {
  await using context = await openBrowser()
  await using proxy = await startTcpProxy(nodePort, { findsEventStreams: true })
  const page = await openThrough(context, proxy)
  await send('Before the silence')
  await measureUntilShown(page, 'Before the silence', 0)
  const text = 'Into the silence'
  await page.page.evaluate(`{
    window.lost = 0
    const isShown = () => document.querySelector('.MessageList').textContent.includes('${text}')
    let wasShown = false
    new MutationObserver(() => {
      if (wasShown && !isShown()) window.lost++
      wasShown = isShown()
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  }`)
  proxy.swallowEventStreams()
  const isStored = page.page.waitForResponse(
    (response) => response.request().method() === 'POST' && /\/messages$/.test(response.url()),
  )
  await write(page, text)
  await (await isStored).finished()
  proxy.cut()
  const before = page.requests.length
  // Each attempt to get the missing event waits for an answer that does not come.
  await eventually(async () => {
    assert.equal(await page.page.evaluate('window.lost'), 0)
    return page.requests.slice(before).filter((path) => path === 'events').length >= 3
  })

  proxy.heal()
  await page.page.waitForSelector(`.Row[data-id]:has-text("${text}")`)
  await expectSameAsServer(page, roses)
  assert.equal(await page.page.evaluate('window.lost'), 0)
})

for (const isOnline of [true, false])
  test(`a queue that expires while the page is ${isOnline ? 'connected' : 'offline'} is replaced in all tabs`, async (t) => {
    await using context = await openBrowser()
    await using proxy = await startTcpProxy(nodePort)
    const [first, second] = [
      await openThrough(context, proxy, 'first tab'),
      await openThrough(context, proxy, 'second tab'),
    ]
    await send('Before the queue expired')
    for (const page of [first, second]) await measureUntilShown(page, 'Before the queue expired', 0)
    if (!isOnline) {
      proxy.close()
      await context.setOffline(true)
    }
    const [queue_id = ''] = await listQueues()
    await iris.events.deleteQueue({ queue_id })
    await send('After the queue expired')
    await sendGrass('Grass after the queue expired')
    const since = performance.now()
    if (!isOnline) {
      proxy.pointTo(nodePort)
      await context.setOffline(false)
    }
    const [pauseMs] = await Promise.all(
      [first, second].map((page) => measureUntilShown(page, 'After the queue expired', since)),
    )
    for (const page of [first, second]) await expectSameAsServer(page, roses)
    const registered = [first, second].flatMap(({ requests }) =>
      requests.filter((path) => path === 'register'),
    )
    t.diagnostic(`shown ${pauseMs} ms after ${isOnline ? 'it was sent' : 'the page was online'}`)
    assert.equal(registered.length, 1)
  })

test('requests for views and read flags that fail during an outage are repeated after it', async (t) => {
  const lily = await otto.messages.send({
    type: 'stream',
    to: garden.name,
    topic: 'lilies',
    content: 'A lily',
  })
  for (let count = 0; count < 40; count++) await send(`Read ${count}`)
  await using context = await openBrowser()
  await using proxy = await startTcpProxy(nodePort)
  const page = await openThrough(context, proxy)
  await scrollToOldest(page, roses)
  // The list is not scrolled to its end, so these messages are loaded but not visible.
  for (let count = 0; count < 40; count++) await send(`Unread ${count}`)
  await eventually(async () => (await readUnread(page, garden)) === 40)
  const failed: string[] = []
  const eventTimes: number[] = []
  page.page.on('requestfailed', (request) => {
    failed.push(new URL(request.url()).pathname.replace('/api/v1/', ''))
  })
  page.page.on('request', (request) => {
    if (request.url().includes('/api/v1/events?')) eventTimes.push(performance.now())
  })
  proxy.close()
  await eventually(async () => {
    await turnWheel(page, 10_000)
    return (await readUnread(page, garden)) < 40
  })
  const unread = await readUnread(page, garden)
  await page.page.evaluate(`location.hash = '${hash.replace('roses', 'lilies')}'`)
  await eventually(() => failed.includes('messages') && failed.includes('messages/flags'))
  // The first gaps are shorter, and a busy machine can lengthen some of the others.
  await eventually(() => eventTimes.length >= 10)

  proxy.pointTo(nodePort)
  const since = performance.now()
  await page.page.waitForSelector(`.Row[data-id="${lily.id}"]`)
  t.diagnostic(`the view was shown ${Math.round(performance.now() - since)} ms after the outage`)
  await eventually(async () => Number((await countUnread(iris)).garden) <= unread)
  const gaps = eventTimes.slice(1).map((time, index) => Math.round(time - (eventTimes[index] ?? 0)))
  t.diagnostic(`times between requests for events: ${gaps.join(', ')} ms`)
  assert.ok(Math.min(...gaps.slice(3)) <= maxRetryMs, gaps.join(', '))
})

const limit = bySize({ gate: 60, long: 200 })

test('requests that are refused with 429 are repeated when the server allows it', {
  skip: !hasFakeClock && 'libfaketime is not installed',
}, async (t) => {
  using clock = makeFakeClock()
  await using node = await startNodeProcess({
    database_url: world.database.url,
    env: {
      ...clock.env,
      OXBOW_RATE_LIMIT_PER_MINUTE: String(limit),
      OXBOW_WEB_DIR: process.env.OXBOW_WEB_DIR ?? '',
    },
  })
  const otherTopic = await otto.messages.send({
    type: 'stream',
    to: garden.name,
    topic: 'tulips',
    content: 'A tulip',
  })
  site.url = node.url
  await using context = await openBrowser()
  const page = await watchPage('A', await site.openTab(context, hash), iris)
  let refusals = 0
  page.page.on('response', (response) => {
    if (response.status() === 429) refusals++
  })
  const { email, api_key } = iris
  const other = createClient({ url: node.url, credentials: { email, api_key } })
  const isRefused = () =>
    other.users.me().then(
      () => false,
      (error: { status?: number }) => error.status === 429,
    )
  const since = performance.now()
  // All at once, because requests that are spread over a minute would be forgotten one after the other.
  const startedAt = Date.now()
  const outcomes = await Promise.all(Array.from({ length: limit + 1 }, isRefused))
  assert.ok(outcomes.includes(true))
  // The requests count for a minute. The clock stops five seconds before its end, so that the page meets the limit
  // however busy the machine is, and is told to wait only for a few seconds.
  clock.set(new Date(startedAt + 55_000))
  // Uses up the requests that are allowed again because the page made its first ones earlier.
  await eventually(isRefused)
  await write(page, 'Sent too often')
  await page.page.evaluate(`location.hash = '${hash.replace('roses', 'tulips')}'`)
  await eventually(() => refusals >= 2)
  // All requests so far are older than a minute.
  clock.set('+130s')
  await page.page.waitForSelector(`.Row[data-id="${otherTopic.id}"]`)
  const waitMs = Math.round(performance.now() - since)
  await page.page.evaluate(`location.hash = '${hash}'`)
  await measureUntilShown(page, 'Sent too often', since)
  await expectSameAsServer(page, roses)
  t.diagnostic(`${refusals} requests were refused; a view was loaded after ${waitMs} ms`)
  assert.ok(refusals >= 2)
  const stored = await world.database.query("select from message where content = 'Sent too often'")
  assert.equal(stored.length, 1)
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(
    site.problems.filter((problem) => !/ERR_|Failed to fetch/.test(problem)),
    [],
  )
})
