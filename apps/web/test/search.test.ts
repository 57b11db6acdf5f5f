import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { xssVectors } from '@oxbow/markdown/attacks'
import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import {
  applyLook,
  findAccessProblems,
  goTo,
  looks,
  looksAt,
  startClientSite,
  takePicture,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto, fern] = await world.people('iris', 'otto', 'fern')
const garden = await world.stream('garden', { members: [iris, otto, fern] })
const kitchen = await world.stream('kitchen', { members: [otto] })
const say = async (topic: string, content: string, { by = otto, to = garden.stream_id } = {}) =>
  (await by.messages.send({ type: 'stream', to, topic, content })).id
await say('compost', 'Rain.', { by: fern })
const wall = await say('roses', 'We pruned the **south wall** on Monday.')
await say('roses', 'Nothing else happened.', { by: fern })
await say('compost', 'Pruning waste goes to the left bin: https://example.com/bin', { by: fern })
await say('pruning tools', 'They are in the shed.')
await say('soup', 'Prune soup for all', { to: kitchen.stream_id })
await otto.messages.send({ type: 'private', to: [iris.user_id], content: 'Will you prune with me?' })

const widths = [1280, 360] as const
const pages = new Map<number, Page>()
for (const width of widths)
  pages.set(width, await site.openAs(iris, '#inbox', { viewport: { width, height: 700 } }))
const wide = pages.get(1280) as Page

const hashOf = (page: Page) => page.evaluate<string>('location.hash')
const untilHash = (page: Page, hash: string) => eventually(async () => (await hashOf(page)) === hash)
const suggestion = (page: Page, text: string) => page.locator('.Typeahead-row', { hasText: text })
const highlights = (page: Page) => page.locator('.MessageList .highlight').allInnerTexts()
const gardenHash = `#narrow/stream/${garden.stream_id}-garden`
async function openSearch(page: Page): Promise<void> {
  await goTo(page, '#inbox')
  await page.locator('#main').focus()
  await page.keyboard.press('/')
  await page.waitForSelector('.SearchField-input')
  await eventually(() => page.evaluate("document.activeElement?.matches('.SearchField-input')"))
}

for (const width of widths) {
  const page = pages.get(width) as Page

  test(`a search is typed with suggestions and opened by keyboard alone at ${width} px`, async () => {
    await openSearch(page)
    await page.keyboard.type('stream:gar')
    await suggestion(page, 'stream: garden').waitFor()
    await page.keyboard.press('Enter')
    assert.deepEqual(await page.locator('.SearchField-chip').allInnerTexts(), ['stream: garden'])
    await page.keyboard.type('pruned')
    await page.keyboard.press('Enter')
    await untilHash(page, `${gardenHash}/search/pruned`)
    await page.locator('.MessageList .highlight').first().waitFor()
    assert.deepEqual((await highlights(page)).toSorted(), ['Pruning', 'pruned', 'pruning'])
    await eventually(async () => (await page.innerText('.ViewFrame-facts [role=status]')) === '3 found')
    await eventually(() => page.evaluate("document.activeElement?.matches('.SearchField-input')"))
    await takePicture(page, `search-results-${width}`)
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    assert.equal(await page.evaluate("document.activeElement?.matches('.Row-message')"), true)
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await untilHash(page, `${gardenHash}/topic/roses/near/${wall}`)
    await page.locator(`.Row[data-id="${wall}"][data-marked]`).waitFor()
  })

  test(`people in suggestions have the initials of their names at ${width} px`, async () => {
    await openSearch(page)
    await page.keyboard.type('sender:ot')
    await suggestion(page, 'sender: Otto Gardener').waitFor()
    await takePicture(page, `search-sender-${width}`)
    const initials = suggestion(page, 'Otto Gardener').locator('.Avatar-initials')
    assert.equal(await initials.getAttribute('data-initials'), 'OG')
    await page.keyboard.press('Escape')
    await page.fill('.SearchField-input', '')
  })

  test(`a search is made with the mouse alone, and its chips are removed, at ${width} px`, async () => {
    await openSearch(page)
    await suggestion(page, 'has:').click()
    await suggestion(page, 'has: link').click()
    await page.click('.SearchField [aria-label=Search]')
    await untilHash(page, '#narrow/has/link')
    await page.locator('.Row', { hasText: 'left bin' }).waitFor()
    assert.equal(await page.locator('.Row').count(), 1)
    await page.fill('.SearchField-input', 'prune')
    await page.click('.SearchField [aria-label=Search]')
    await untilHash(page, '#narrow/has/link/search/prune')
    await page.click('.SearchField-chip')
    await untilHash(page, '#narrow/search/prune')
    await eventually(async () => (await page.locator('.MessageList .Row').count()) === 4)
    await page.locator('.Row', { hasText: 'south wall' }).locator('.ConversationLink').click()
    await untilHash(page, `${gardenHash}/topic/roses/near/${wall}`)
  })

  test(`results and suggestions are accessible and not wider than the window of ${width} px`, async () => {
    await page.mouse.move(0, 0)
    await goTo(page, `${gardenHash}/-has/image/search/prune`)
    await page.locator('.MessageList .highlight').first().waitFor()
    for (const look of looksAt(width)) {
      await applyLook(page, looks[look])
      await takePicture(page, `search-${look}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], look)
    }
    await applyLook(page, looks.light)
    await openSearch(page)
    await suggestion(page, 'stream:').waitFor()
    await takePicture(page, `search-start-${width}`)
    assert.deepEqual(await findAccessProblems(page), [])
  })

  test(`a search without results suggests other searches at ${width} px`, async () => {
    await goTo(page, '#narrow/search/soup')
    await page.locator('.Empty', { hasText: 'Nothing found for soup' }).waitFor()
    await takePicture(page, `search-empty-${width}`)
    assert.deepEqual(await findAccessProblems(page), [])
    await page.click('.SearchEmpty-tips :text("all public streams")')
    await untilHash(page, '#narrow/streams/public/search/soup')
    await page.locator('.Row', { hasText: 'soup for all' }).waitFor()
    await goTo(page, `${gardenHash}/search/pruned.20elephants`)
    await page.click('.SearchEmpty-tips :text("Search only for “pruned”")')
    await untilHash(page, `${gardenHash}/search/pruned`)
  })

  test(`conditions that match nothing are reported in the field, and marked in links, at ${width} px`, async () => {
    await openSearch(page)
    await page.keyboard.type('stream:gartn is:green rose')
    await page.keyboard.press('Enter')
    const problem = page.locator('.SearchField-wrong')
    await problem.waitFor()
    assert.match(await problem.innerText(), /stream:gartn is:green/)
    assert.equal(await page.getAttribute('.SearchField-input', 'aria-invalid'), 'true')
    assert.equal(await hashOf(page), '#search')
    await goTo(page, '#narrow/is/green/search/rose')
    await page.locator('.Empty', { hasText: 'This search does not work.' }).waitFor()
    assert.equal(await page.locator('.SearchField-chip[data-wrong]').innerText(), 'is: green')
    await takePicture(page, `search-wrong-${width}`)
    assert.deepEqual(await findAccessProblems(page), [])
    await page.click('.Empty :text("Search without it")')
    await untilHash(page, '#narrow/search/rose')
  })
}

test('a new message that matches appears in the results with its highlight', async () => {
  await goTo(wide, '#narrow/search/tulips')
  await wide.locator('.Empty', { hasText: 'Nothing found' }).waitFor()
  await say('spring', 'The tulips are here.')
  await wide.locator('.Row .highlight', { hasText: 'tulips' }).waitFor()
  await say('tulips', 'Look at them.')
  await wide.locator('.Bar .highlight', { hasText: 'tulips' }).waitFor()
})

test('words that name a stream, a person or a condition are suggested as conditions', async () => {
  await openSearch(wide)
  for (const [typed, title] of [
    ['gard', 'stream: garden'],
    ['otto', 'sender: Otto Gardener'],
    ['star', 'is: starred'],
    ['-ima', 'not has: image'],
    ['sender:fe', 'sender: Fern Gardener'],
    ['topic:pru', 'topic: pruning tools'],
    ['date:2026-03-01', 'date:2026-03-01'],
  ] as const) {
    await wide.fill('.SearchField-input', typed)
    await suggestion(wide, title).first().waitFor()
  }
  await wide.fill('.SearchField-input', 'otto')
  await suggestion(wide, 'sender: Otto').waitFor()
  assert.equal(await wide.locator('.Typeahead-row[aria-selected=true]').count(), 0)
  await wide.keyboard.press('ArrowDown')
  await wide.keyboard.press('Tab')
  assert.deepEqual(await wide.locator('.SearchField-chip').allInnerTexts(), ['sender: Otto Gardener'])
})

test('a search is limited to the conversation from which it was opened', async () => {
  await goTo(wide, `${gardenHash}/topic/roses`)
  await wide.waitForSelector('.Row')
  await wide.locator('#main').focus()
  await wide.keyboard.press('/')
  await suggestion(wide, 'Only here').click()
  assert.deepEqual(await wide.locator('.SearchField-chip').allInnerTexts(), [
    'stream: garden',
    'topic: roses',
  ])
  await goTo(wide, `${gardenHash}/topic/roses`)
  await wide.click('[aria-label="Conversation menu"]')
  await wide.click('[role=menuitem]:has-text("Search here")')
  await wide.waitForSelector('.SearchField-chip')
  await eventually(() => wide.evaluate("document.activeElement?.matches('.SearchField-input')"))
  await wide.keyboard.type('happened')
  await wide.keyboard.press('Enter')
  await untilHash(wide, `${gardenHash}/topic/roses/search/happened`)
  await wide.locator('.Row', { hasText: 'Nothing else happened' }).waitFor()
})

test('a search with a date opens at that day, and starred messages link to their conversations', async () => {
  await goTo(wide, '#narrow/search/prune/date/2020-01-01')
  await eventually(async () => (await hashOf(wide)) === `#narrow/search/prune/near/${wall}`)
  await iris.messages.changeFlags({ messages: [wall], op: 'add', flag: 'starred' })
  await goTo(wide, '#narrow/is/starred')
  await wide.click('.Row .ConversationLink')
  await untilHash(wide, `${gardenHash}/topic/roses/near/${wall}`)
})

test('hostile texts stay plain text in chips, suggestions, highlights and empty results', async () => {
  const [vector = ''] = xssVectors
  await say(`needle ${vector}`.slice(0, 60), `needle ${vector}`)
  await goTo(wide, '#narrow/search/needle')
  await wide.locator('.Row .highlight', { hasText: 'needle' }).waitFor()
  await openSearch(wide)
  await wide.fill('.SearchField-input', `topic:"<img src=x onerror=window.hacked=1>" "${vector}"`)
  await wide.keyboard.press('Enter')
  await wide.locator('.Empty').waitFor()
  assert.equal(await wide.evaluate('window.hacked'), undefined)
  assert.equal(await wide.locator('main img[src=x]').count(), 0)
})

test('the search never violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
