import assert from 'node:assert/strict'
import { after, afterEach, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import { startClientSite } from './open-client.ts'
import { readStore } from './read-device.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const hash = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const send = (content: string) =>
  otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
await send('Who prunes?')

afterEach(async () => {
  for (const { id } of (await iris.drafts.list()).drafts) await iris.drafts.remove({ draft_id: id })
})

const fieldOf = (page: Page) => page.locator('.Composer .WritingField-text')
const listCopies = async () => (await iris.drafts.list()).drafts

/** Opens two tabs; the first one has the connection to the server, and saves the drafts of both. */
async function openTabs(): Promise<{ leader: Page; follower: Page; openTab: () => Promise<Page> }> {
  const context = await site.newContext()
  await site.signInTo(context, iris)
  const openTab = async () => {
    const page = await site.openTab(context, hash)
    await page.waitForSelector('.Row[data-id]')
    return page
  }
  return { leader: await openTab(), follower: await openTab(), openTab }
}

/** Delays the short timers of a tab, as browsers do while a tab is hidden. */
const delayTimers = (page: Page) =>
  page.evaluate(`(() => {
    const { setTimeout } = window
    window.setTimeout = (run, milliseconds, ...rest) =>
      setTimeout(run, milliseconds < 1000 ? milliseconds + 3000 : milliseconds, ...rest)
  })()`)

test('a text that is sent before all tabs know its copy on the server does not return', async () => {
  const { leader, follower } = await openTabs()
  await fieldOf(follower).fill('Prune in March')
  await eventually(async () => (await fieldOf(leader).inputValue()) === 'Prune in March')
  await delayTimers(leader)
  await eventually(async () => (await listCopies()).length === 1)
  await fieldOf(follower).press('Control+Enter')
  await follower.waitForSelector('.Row[data-id]:has-text("Prune in March")')
  await eventually(async () => (await listCopies()).length === 0)
  await send('Until everything has arrived')
  for (const tab of [leader, follower]) {
    await tab.waitForSelector('.Row[data-id]:has-text("Until everything")')
    assert.equal(await fieldOf(tab).inputValue(), '')
  }
  await eventually(async () => !JSON.stringify(await readStore(leader, iris, 'drafts')).includes('Prune'))
})

test('a text that one tab continues is kept if its earlier version was sent on another device', async () => {
  const { leader, follower } = await openTabs()
  await fieldOf(follower).fill('Cut the hedge')
  // The tabs have told each other of the copy.
  await eventually(async () => JSON.stringify(await readStore(leader, iris, 'drafts')).includes('server_id'))
  await delayTimers(follower)
  await fieldOf(follower).press('End')
  await follower.keyboard.type(' and the lawn')
  const [copy] = await listCopies()
  if (copy) await iris.drafts.remove({ draft_id: copy.id })
  await eventually(async () => (await fieldOf(leader).inputValue()) !== 'Cut the hedge')
  await eventually(async () => (await fieldOf(leader).inputValue()) === 'Cut the hedge and the lawn')
  assert.equal(await fieldOf(follower).inputValue(), 'Cut the hedge and the lawn')
  await eventually(async () => (await listCopies())[0]?.content === 'Cut the hedge and the lawn')
})

/** Reads or replaces all records of the stored state. */
const readState = (page: Page): Promise<string> =>
  page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open('oxbow/${iris.user_id}')
    request.onsuccess = () => {
      const store = request.result.transaction('state').objectStore('state')
      const [keys, values] = [store.getAllKeys(), store.getAll()]
      values.onsuccess = () => {
        request.result.close()
        resolve(JSON.stringify(keys.result.map((key, index) => [key, values.result[index]])))
      }
    }
  })`)
const writeState = (page: Page, records: string): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const request = indexedDB.open('oxbow/${iris.user_id}')
    request.onsuccess = () => {
      const transaction = request.result.transaction('state', 'readwrite')
      for (const [key, value] of ${records}) transaction.objectStore('state').put(value, key)
      transaction.oncomplete = () => {
        request.result.close()
        resolve()
      }
    }
  })`)

test('a tab that is opened right after a text was sent does not show it as a draft', async () => {
  const { leader, openTab } = await openTabs()
  await fieldOf(leader).fill('Water the beans')
  await eventually(async () => (await readState(leader)).includes('Water the beans'))
  const stored = await readState(leader)
  await fieldOf(leader).press('Control+Enter')
  await leader.waitForSelector('.Row[data-id]:has-text("Water the beans")')
  await eventually(async () => (await listCopies()).length === 0)
  await eventually(async () => !JSON.stringify(JSON.parse(await readState(leader))).includes('"Water'))
  // The state is stored every three seconds, so it may be older than the drafts.
  await writeState(leader, stored)
  const tab = await openTab()
  await tab.waitForSelector('.Row[data-id]:has-text("Water the beans")')
  await eventually(async () => (await fieldOf(tab).inputValue()) === '')
  await send('Until everything has arrived')
  await tab.waitForSelector('.Row[data-id]:has-text("Until everything")')
  assert.equal(await fieldOf(tab).inputValue(), '')
})

test('a text is stored on the server when the page is closed, if it is not stored on the device', async () => {
  const context = await site.newContext()
  await site.signInTo(context, iris, { isTrusted: false })
  const page = await site.openTab(context, hash)
  await page.waitForSelector('.Row[data-id]')
  await fieldOf(page).fill('Order seeds')
  await page.goto('about:blank')
  await eventually(async () => (await listCopies()).length === 1)
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
