import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import type { Page } from 'playwright-core'
import { findAccessProblems, startClientSite } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = await world.people('iris', 'otto')
const garden = await world.stream('garden', { members: [iris, otto] })
for (const topic of ['roses', 'compost']) await sendToStream(otto, garden, topic)

const wide = { viewport: { width: 1280, height: 800 } }
const hashOf = (topic: string) =>
  `#narrow/stream/${garden.stream_id}-garden/topic/${encodeURIComponent(topic)}`
const topicsHash = `#topics/stream/${garden.stream_id}-garden`

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.click(`[aria-label=${JSON.stringify(menu)}]`)
  await page.click(`[role=menuitem]:has-text(${JSON.stringify(item)})`)
}
const listed = (page: Page) => page.locator('.TopicRow-name bdi').allInnerTexts()

test('resolving a topic folds it in the list, keeps it open for its reader, and can be undone from there', async () => {
  const page = await site.openAs(iris, hashOf('roses'), wide)
  const reader = await site.openAs(otto, hashOf('roses'), wide)
  await reader.fill('.Composer textarea', 'One more thing')
  await page.waitForSelector('.Row')
  await choose(page, 'Conversation menu', 'Mark as resolved')
  await page.waitForSelector('.Conversation-topic:has-text("✔ roses")')

  // The reader stays in the topic with what was typed there, and is asked whether to open it again.
  await reader.waitForSelector('.Conversation-topic:has-text("✔ roses")')
  assert.equal(await reader.inputValue('.Composer textarea'), 'One more thing')
  await reader.waitForSelector('.Notice:has-text("This topic is resolved")')
  assert.deepEqual(await findAccessProblems(reader), [])

  await page.evaluate(`location.hash = ${JSON.stringify(topicsHash)}`)
  await eventually(async () => (await listed(page)).includes('compost'))
  assert.equal((await listed(page)).includes('✔ roses'), false)
  await page.click('button:has-text("1 resolved topic")')
  await eventually(async () => (await listed(page)).includes('✔ roses'))
  assert.deepEqual(await findAccessProblems(page), [])

  await reader.click('.Notice button:has-text("Reopen the topic")')
  await reader.waitForSelector('.Conversation-topic bdi:text-is("roses")')
  await eventually(async () => (await listed(page)).includes('roses'))
})
