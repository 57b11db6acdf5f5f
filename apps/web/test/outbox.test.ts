import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { sampleInGate } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
import { startClientSite } from './open-client.ts'
import { crash, readStore } from './read-device.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const hash = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
await otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content: 'Who prunes?' })

const context = await site.newContext()
await site.signInTo(context, iris)

const fieldOf = (page: Page) => page.locator('.Composer .WritingField-text')

/** Returns the texts of the topic's messages on the server, oldest first. */
async function listContents(): Promise<string[]> {
  const { messages } = await otto.messages.list({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'roses' }],
    apply_markdown: false,
  })
  return messages.map(({ content }) => content)
}

async function write(page: Page, text: string): Promise<void> {
  await fieldOf(page).focus()
  await page.keyboard.insertText(text)
}

/** Steps of sending. Each waits for the condition after which the page is killed. */
const steps = {
  'the text was typed': async (page, text) => {
    await write(page, text)
    await eventually(async () => JSON.stringify(await readStore(page, iris, 'drafts')).includes(text))
  },
  'the message was stored on the device': async (page, text) => {
    const { promise: isSent, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/v1/messages', () => resolve())
    await write(page, text)
    await page.keyboard.press('Control+Enter')
    await isSent
  },
  'the server stored the message': async (page, text) => {
    const { promise: isStored, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/v1/messages', async (route) => {
      await route.fetch()
      resolve()
    })
    await write(page, text)
    await page.keyboard.press('Control+Enter')
    await isStored
  },
  'the response arrived': async (page, text) => {
    await page.route('**/api/v1/events**', () => {})
    await page.reload()
    await write(page, text)
    await page.keyboard.press('Control+Enter')
    await eventually(async () => {
      const kept = JSON.stringify(await readStore(page, iris, 'outbox'))
      return kept.includes('message_id') || (kept === '[]' && (await listContents()).includes(text))
    })
  },
  'the event arrived': async (page, text) => {
    await write(page, text)
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector(`.Row[data-id]:has-text("${text}")`)
  },
} satisfies Record<string, (page: Page, text: string) => Promise<void>>

for (const [index, [step, reach]] of sampleInGate(Object.entries(steps), 3).entries())
  test(`a page that is killed after ${step} loses no message and sends none twice`, async () => {
    const text = `Message ${index} when ${step}`
    const killed = await site.openTab(context, hash)
    await reach(killed, text)
    await crash(killed)

    const page = await site.openTab(context, hash)
    if (step === 'the text was typed') {
      await eventually(async () => (await fieldOf(page).inputValue()) === text)
      await fieldOf(page).focus()
      await page.keyboard.press('Control+Enter')
    }

    await page.waitForSelector(`.Row[data-id]:has-text("${text}")`)
    await page.waitForSelector('.Row-unsent', { state: 'detached' })
    await eventually(async () => (await readStore(page, iris, 'outbox')).length === 0)
    assert.equal((await listContents()).filter((each) => each === text).length, 1)
    assert.equal(await page.locator(`.Row:has-text("${text}")`).count(), 1)
    assert.equal(await fieldOf(page).inputValue(), '')
    await page.close()
  })

test('a message whose tab is killed while it sends is sent once by another tab', async () => {
  const [first, second] = [await site.openTab(context, hash), await site.openTab(context, hash)]
  const { promise: isStored, resolve } = Promise.withResolvers<void>()
  await first.route('**/api/v1/messages', async (route) => {
    await route.fetch()
    resolve()
  })
  await write(first, 'From the first tab')
  await first.keyboard.press('Control+Enter')
  await isStored
  await second.waitForSelector('.Row:has-text("From the first tab")')
  await crash(first)

  await second.waitForSelector('.Row[data-id]:has-text("From the first tab")')
  await eventually(async () => (await readStore(second, iris, 'outbox')).length === 0)
  assert.equal((await listContents()).filter((each) => each === 'From the first tab').length, 1)
  await second.close()
})

test('two tabs that write without a network send each message once and in order', async () => {
  const tabs = [await site.openTab(context, hash), await site.openTab(context, hash)] as const
  await context.setOffline(true)
  for (const [index, text] of ['one', 'two', 'three', 'four'].entries()) {
    const tab = tabs[index % 2] as Page
    await write(tab, `offline ${text}`)
    await tab.keyboard.press('Control+Enter')
    await tab.waitForSelector(`.Row-unsent:has-text("offline ${text}")`)
  }
  await context.setOffline(false)
  for (const tab of tabs) {
    await tab.waitForSelector('.Row[data-id]:has-text("offline four")')
    await tab.waitForSelector('.Row-unsent', { state: 'detached' })
    assert.equal(await tab.locator('.Row[data-id]:has-text("offline")').count(), 4)
  }
  assert.deepEqual(
    (await listContents()).slice(-4),
    ['one', 'two', 'three', 'four'].map((text) => `offline ${text}`),
  )
  for (const tab of tabs) await tab.close()
})

test('a draft of one tab appears in another tab, and disappears there when it is sent', async () => {
  const [first, second] = [await site.openTab(context, hash), await site.openTab(context, hash)]
  await write(first, 'Begun here')
  await eventually(async () => (await fieldOf(second).inputValue()) === 'Begun here')
  await fieldOf(second).focus()
  await second.keyboard.press('Control+Enter')
  await eventually(async () => (await fieldOf(first).inputValue()) === '')
  await first.waitForSelector('.Row[data-id]:has-text("Begun here")')
  for (const tab of [first, second]) await tab.close()
})

test('only the tab with the event connection stores drafts on the server, also those of other tabs', async () => {
  const open = async () => {
    const paths: string[] = []
    context.once('page', (page) => {
      page.on('request', (request) => paths.push(new URL(request.url()).pathname))
    })
    return { tab: await site.openTab(context, hash), paths }
  }
  const streamPath = '/api/v1/events'
  const leader = await open()
  await eventually(() => leader.paths.includes(streamPath))
  const other = await open()
  await write(other.tab, 'Stored once')
  const isStored = async () =>
    (await iris.drafts.list()).drafts.some(({ content }) => content === 'Stored once')
  await eventually(isStored)
  await other.tab.keyboard.press('Control+Enter')
  await eventually(async () => !(await isStored()))
  // If the machine stands still for seconds, the other tab takes over the connection.
  const takenOverAt = other.paths.indexOf(streamPath)
  const pathsBefore = takenOverAt === -1 ? other.paths : other.paths.slice(0, takenOverAt)
  assert.deepEqual(
    pathsBefore.filter((path) => path.startsWith('/api/v1/drafts')),
    [],
  )
  await eventually(async () => (await fieldOf(leader.tab).inputValue()) === '')
  for (const { tab } of [leader, other]) await tab.close()
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
