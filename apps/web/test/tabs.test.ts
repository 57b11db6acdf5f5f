import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import type { Page, Request } from 'playwright-core'
import { startClientSite } from './open-client.ts'
import { crash } from './read-device.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const send = (content: string) =>
  otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
await send('The first one')
const meadow = await world.stream('meadow', { members: [iris, otto] })
let grassCount = 0
const sendGrass = async () => {
  await otto.messages.send({ type: 'stream', to: meadow.name, topic: 'grass', content: 'Grass' })
  grassCount++
}

const context = await site.newContext()
await site.signInTo(context, iris)

/** Open event streams with their pages. A page may open a stream before the end of its last one is reported. */
const streams = new Map<Request, Page>()
const listStreaming = () => new Set(streams.values())
const isStream = (request: Request) => new URL(request.url()).pathname === '/api/v1/events'
const noteEnd = (request: Request) => streams.delete(request)
context.on('request', (request) => {
  if (isStream(request)) streams.set(request, request.frame().page())
})
context.on('requestfinished', noteEnd)
context.on('requestfailed', noteEnd)

const tabs: Page[] = []
const tabCount = bySize({ gate: 3, long: 10 })
const killCount = bySize({ gate: 2, long: 20 })

const openTab = async () => {
  const page = await site.openTab(context, roses)
  await page.waitForSelector('.Row[data-id]')
  await page.evaluate('window.marker = 1')
  return page
}

/** Returns the ids of the messages that a tab shows. */
const listIds = (page: Page): Promise<number[]> =>
  page.evaluate("[...document.querySelectorAll('.Row[data-id]')].map((row) => Number(row.dataset.id))")

async function listIdsOfServer(): Promise<number[]> {
  const { messages } = await iris.messages.list({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [
      { operator: 'stream', operand: garden.stream_id },
      { operator: 'topic', operand: 'roses' },
    ],
  })
  return messages.map(({ id }) => id)
}

/** Returns the unread count that the nav of a tab shows for the meadow, which no tab opens. */
const countGrass = (page: Page): Promise<number> =>
  page.evaluate(`Number(
    document.querySelector('.NavRow[href*="/${meadow.stream_id}-"] .Count [aria-hidden]')?.textContent ?? 0,
  )`)

/** Waits until all tabs show exactly the messages and the unread count of the server. */
async function expectSameEverywhere(): Promise<void> {
  const expected = JSON.stringify(await listIdsOfServer())
  for (const tab of tabs) {
    await eventually(async () => JSON.stringify(await listIds(tab)) === expected)
    await eventually(async () => (await countGrass(tab)) === grassCount)
  }
}

test('many tabs of an account share one event connection and show the same messages', async (t) => {
  while (tabs.length < tabCount) tabs.push(await openTab())
  await send('For all tabs')
  await expectSameEverywhere()
  await eventually(() => listStreaming().size === 1)
  t.diagnostic(`${tabs.length} tabs, ${listStreaming().size} event connection`)
})

test('a change that one tab makes is shown by all tabs', async () => {
  const [first, ...others] = tabs as [Page, ...Page[]]
  await first.locator('.Composer .WritingField-text').focus()
  await first.keyboard.insertText('From the first tab')
  await first.keyboard.press('Control+Enter')
  for (const tab of others) await tab.waitForSelector('.Row[data-id]:has-text("From the first tab")')
  await expectSameEverywhere()
})

test('when the tab with the connection is killed, another tab takes over without missing events', async (t) => {
  let longestPauseMs = 0
  for (let kills = 0; kills < killCount; kills++) {
    await eventually(() => listStreaming().size >= 1)
    const leader = tabs.find((tab) => listStreaming().has(tab)) as Page
    await send(`Before kill ${kills}`)
    for (const [request, page] of streams) if (page === leader) streams.delete(request)
    tabs.splice(tabs.indexOf(leader), 1)
    const killed = crash(leader)
    await send(`During kill ${kills}`)
    await killed
    const killedAt = performance.now()
    await sendGrass()
    await send(`After kill ${kills}`)
    for (const tab of tabs) await tab.waitForSelector(`.Row[data-id]:has-text("After kill ${kills}")`)
    longestPauseMs = Math.max(longestPauseMs, performance.now() - killedAt)
    await expectSameEverywhere()
    for (const tab of tabs) assert.equal(await tab.evaluate('window.marker'), 1)
    tabs.push(await openTab())
  }
  await expectSameEverywhere()
  t.diagnostic(
    `${killCount} leaders killed, ${tabs.length} tabs, longest pause ${Math.round(longestPauseMs)} ms`,
  )
})

test('a tab takes over the connection from a frozen leader', async () => {
  await eventually(() => listStreaming().size === 1)
  const leader = tabs.find((tab) => listStreaming().has(tab)) as Page
  const session = await context.newCDPSession(leader)
  await session.send('Page.setWebLifecycleState', { state: 'frozen' })
  const others = tabs.filter((tab) => tab !== leader)
  await send('While the leader is frozen')
  for (const tab of others) await tab.waitForSelector('.Row[data-id]:has-text("While the leader is frozen")')
  await session.send('Page.setWebLifecycleState', { state: 'active' })
  await leader.waitForSelector('.Row[data-id]:has-text("While the leader is frozen")')
  await send('After it has woken up')
  await expectSameEverywhere()
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
