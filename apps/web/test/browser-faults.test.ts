import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, startTcpProxy } from '@oxbow/testkit'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import type { BrowserContext } from 'playwright-core'
import { startGardenSite } from './faults/garden-site.ts'
import {
  expectSameAsServer,
  measureUntilShown,
  type WatchedPage,
  watchPage,
  write,
} from './faults/watched-page.ts'
import { readStore } from './read-device.ts'

const isLong = bySize({ gate: false, long: true })
/** Number of missed messages. In the long lane, ten minutes with 5 messages per second. */
const missedCount = bySize({ gate: 100, long: 3_000 })

const { site, iris, otto, roses, hash, send, sendGrass, openBrowser } = await startGardenSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const proxy = await startTcpProxy(Number(new URL(world.nodes.b.url).port), { findsEventStreams: true })
after(() => proxy[Symbol.asyncDispose]())
site.url = `http://127.0.0.1:${proxy.port}`

const openPage = async (context: BrowserContext, name: string): Promise<WatchedPage> =>
  watchPage(name, await site.openTab(context, hash), iris)

async function openTabs(context: BrowserContext): Promise<WatchedPage[]> {
  return [await openPage(context, 'first tab'), await openPage(context, 'second tab')]
}

/**
 * Sends messages from another person and from each page, and compares the pages with the server. Returns
 * the milliseconds until the first page shows the message of the other person.
 */
async function expectAllWorks(pages: readonly WatchedPage[], fault: string): Promise<number> {
  const since = performance.now()
  await send(`Sent by others after ${fault}`)
  await sendGrass(`Grass after ${fault}`)
  const [pauseMs = 0] = await Promise.all(
    pages.map((page) => measureUntilShown(page, `Sent by others after ${fault}`, since)),
  )
  for (const page of pages) await write(page, `Written in the ${page.name} after ${fault}`)
  for (const page of pages) await expectSameAsServer(page, roses)
  return pauseMs
}

test('a frozen tab shows everything that it missed when it wakes up', async (t) => {
  await using context = await openBrowser()
  const page = await openPage(context, 'tab')
  const session = await context.newCDPSession(page.page)
  const early: number[] = []
  for (let count = 0; count < 6; count++) early.push((await send(`Early ${count}`)).id)
  await measureUntilShown(page, 'Early 5', 0)
  await page.page.evaluate(`
    window.renderCount = 0
    new MutationObserver(() => renderCount++).observe(document.querySelector('.MessageList-rows'), { childList: true })
  `)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  for (let start = 0; start < missedCount; start += 20)
    await Promise.all(Array.from({ length: 20 }, (_, index) => send(`Missed ${start + index}`)))
  for (const message_id of early.slice(0, 3) as never[])
    await otto.messages.edit({ message_id, content: `Edited ${message_id}` })
  for (const message_id of early.slice(3, 5) as never[]) await world.owner.messages.remove({ message_id })
  await send('The last missed one')
  for (let count = 0; count < 20; count++) await sendGrass(`Missed grass ${count}`)
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  const since = performance.now()
  // Scrolling to the end would take a minute in the long lane, because it adds 25 rows at a time. On a busy machine,
  // where the messages arrive in small groups, the page follows them to the end by itself.
  await eventually(async () => {
    const pill = page.page.locator('.MessageList-pill')
    if (await pill.isVisible()) await pill.click({ timeout: 1_000 }).catch(() => {})
    return page.page.getByText('The last missed one').isVisible()
  })
  await expectSameAsServer(page, roses)
  const renderCount = await page.page.evaluate<number>('renderCount')
  assert.ok(renderCount < missedCount / 2, `${renderCount} changes of the list`)
  t.diagnostic(`${missedCount} missed messages were shown ${Math.round(performance.now() - since)} ms later`)
  assert.ok(!page.requests.includes('register'))
  await expectAllWorks([page], 'freezing')
})

/**
 * The client checks the clock every second; the remaining time is for a busy machine. Without that check it would notice
 * a dead stream only after 90 seconds without a heartbeat.
 */
const maxJumpPauseMs = 20_000
const jumps = { ahead: 3 * 3_600_000, back: -3 * 3_600_000 }

for (const [direction, offset] of Object.entries(jumps))
  test(`a clock that jumps ${direction} by three hours does not stop events`, async (t) => {
    await using context = await openBrowser()
    const pages = await openTabs(context)
    // After a machine slept, the connection is dead but not closed.
    if (offset > 0) proxy.swallowEventStreams()
    await send(`Missed when the clock jumped ${direction}`)
    const since = performance.now()
    for (const { page } of pages)
      await page.evaluate(`{
        const RealDate = Date
        window.Date = class extends RealDate {
          constructor(...values) {
            if (values.length > 0) super(...values)
            else super(RealDate.now() + ${offset})
          }
          static now() {
            return RealDate.now() + ${offset}
          }
        }
      }`)
    const [pauseMs] = await Promise.all(
      pages.map((page) => measureUntilShown(page, `Missed when the clock jumped ${direction}`, since)),
    )
    await expectAllWorks(pages, `a jump ${direction}`)
    t.diagnostic(`events continued ${pauseMs} ms after the jump`)
    assert.ok((pauseMs ?? 0) <= maxJumpPauseMs, `${pauseMs} ms`)
  })

const deletions = {
  'a script': async ({ page }: WatchedPage) => {
    await page.evaluate(`new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase('oxbow/${iris.user_id}')
      request.onsuccess = resolve
      request.onerror = reject
    })`)
  },
  'the settings of the browser': async ({ page }: WatchedPage) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin: site.url, storageTypes: 'indexeddb' })
  },
}

for (const [means, deleteDatabase] of sampleInGate(Object.entries(deletions), 1))
  test(`tabs whose database is deleted by ${means} continue without it`, async (t) => {
    await using context = await openBrowser()
    const pages = await openTabs(context)
    await deleteDatabase(pages[1] as WatchedPage)
    const pauseMs = await expectAllWorks(pages, `deletion by ${means}`)
    t.diagnostic(`an event takes ${pauseMs} ms without a database`)
  })

test('tabs send, receive and restart while their storage is full', {
  skip: !isLong && 'part of the long lane',
}, async (t) => {
  await using context = await openBrowser()
  const pages = await openTabs(context)
  const [first] = pages as [WatchedPage]
  const session = await context.newCDPSession(first.page)
  await session.send('Storage.overrideQuotaForOrigin', { origin: site.url, quotaSize: 1 })
  // The browser caches the free space for up to a minute.
  await eventually(async () => (await writeProbe(first)) === 'QuotaExceededError')
  const pauseMs = await expectAllWorks(pages, 'the storage was full')
  t.diagnostic(`an event takes ${pauseMs} ms with full storage`)
  assert.deepEqual(await readStore(first.page, iris, 'outbox'), [])
  const later = await openPage(context, 'later tab')
  await expectAllWorks([...pages, later], 'another start')
})

/** Tries to write a large record to another database of the site, and returns the name of the error. */
const writeProbe = ({ page }: WatchedPage): Promise<string> =>
  page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open('probe')
    request.onupgradeneeded = () => request.result.createObjectStore('records', { autoIncrement: true })
    request.onsuccess = () => {
      const transaction = request.result.transaction('records', 'readwrite')
      transaction.objectStore('records').put('x'.repeat(1_000_000))
      transaction.onabort = () => resolve(transaction.error?.name)
      transaction.oncomplete = () => resolve('written')
    }
    request.onerror = () => resolve(request.error?.name)
  })`)

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(
    site.problems.filter((problem) => !/ERR_|Failed to fetch/.test(problem)),
    [],
  )
})
