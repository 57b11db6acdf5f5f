import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import { startClientSite } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const sendAll = (topic: string, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      otto.messages.send({ type: 'stream', to: garden.name, topic, content: `Rose ${index + 1}` }),
    ),
  )
await sendAll('roses', 90)
await iris.messages.markAllRead()
await sendAll('roses', 5)

interface Resource {
  path: string
  /** Whether the request was sent before the first message was in the document. */
  isSentBefore: boolean
  isAnsweredBefore: boolean
}

/** Records the time at which the first message is in the document. */
const watchFirstRow = `new MutationObserver((_, observer) => {
  if (!document.querySelector('.Row[data-id]')) return
  observer.disconnect()
  window.firstRowAt = performance.now()
}).observe(document, { childList: true, subtree: true })`

/** Opens a view in a fresh page and lists its requests. */
async function listRequests(page: Page, hash: string): Promise<Resource[]> {
  await page.goto('about:blank')
  await page.goto(`${world.nodes.b.url}/${hash}`)
  await eventually(() => page.evaluate('window.firstRowAt > 0'))
  return page.evaluate(`performance.getEntriesByType('resource').map(({ name, startTime, responseEnd }) => ({
    path: new URL(name).pathname,
    isSentBefore: startTime < firstRowAt,
    isAnsweredBefore: responseEnd > 0 && responseEnd < firstRowAt,
  }))`)
}

const page = await site.openAs(iris)
await page.addInitScript(watchFirstRow)
const rows = page.locator('.Row[data-id]')

for (const [view, hash] of [
  ['a topic', roses],
  ['a stream', `#narrow/stream/${garden.stream_id}-garden`],
  ['a filter', '#narrow/in/home'],
] as const)
  test(`the first screen of ${view} needs one API request and at most eight requests in all`, async (t) => {
    const requests = await listRequests(page, hash)
    const api = requests.filter(({ path }) => path.startsWith('/api/'))
    assert.deepEqual(
      api.filter(({ isAnsweredBefore }) => isAnsweredBefore).map(({ path }) => path),
      ['/api/v1/register'],
    )
    assert.equal(api.filter(({ path }) => path === '/api/v1/messages').length, 0)
    // Adds 1 for the document, which is not among its own resources.
    const sent = 1 + requests.filter(({ isSentBefore }) => isSentBefore).length
    t.diagnostic(`${sent} requests before the first message`)
    assert.ok(sent <= 8, requests.map(({ path }) => path).join(' '))
  })

test('a view that was fetched with the state opens at its first unread message', async () => {
  await page.goto('about:blank')
  await sendAll('roses', 3)
  await listRequests(page, roses)
  await page.waitForSelector('.UnreadLine')
  assert.match(await rows.last().innerText(), /Rose \d+/)
  await eventually(async () => (await rows.count()) >= 60)
})

test('messages that arrive after the first page are added to it', async () => {
  await otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content: 'A late one' })
  await page.waitForSelector('.Row[data-id]:has-text("A late one")')
})

test('a link to a message far from the unread messages shows that message', async () => {
  const { messages } = await otto.messages.list({ anchor: 'oldest', num_before: 0, num_after: 5 })
  const id = messages.at(-1)?.id
  const requests = await listRequests(page, `${roses}/near/${id}`)
  assert.equal(requests.filter(({ path }) => path === '/api/v1/messages').length, 0)
  assert.ok(await page.locator(`.Row[data-id="${id}"]`).isVisible())
})

test('the requests for the first screen do not violate the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
