import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, pngOf } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import { writeHash } from '../src/client/route/hash.ts'
import { topicRoute } from '../src/client/route/route.ts'
import { fillForViews } from './every-view.ts'
import { applyLook, goTo, looks, startClientSite, takePicture, waitForLayout } from './open-client.ts'

// Layouts that were wrong in pictures of `npm run pictures`: on phones, and from right to left.
const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { reader, garden } = await fillForViews(site.world)
const longStream = 'everything that has to be done before the winter'
const longName = 'which trees should we plant next autumn at the north fence?'
const uploads = await Promise.all(
  ['gate.png', 'pond.png'].map((name) =>
    reader.uploads.upload({ files: [{ name, bytes: pngOf(600, 400) }] }),
  ),
)
const send = (topic: string, content: string) =>
  reader.messages.send({ type: 'stream', to: garden.name, topic, content })
await send('pictures', uploads.map(({ uri }, index) => `[picture ${index}](${uri})`).join('\n'))
await send(longName, 'Quince')
const marked = await send('marked', 'The ladder is not safe any more: do not use it before it is repaired.')
await reader.messages.changeFlags({ messages: [marked.id], op: 'add', flag: 'starred' })
const page = await site.openAs(reader)
const topicHash = (topic: string) => writeHash(topicRoute(garden, topic))

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

/** Waits for an element, and returns its edges or those of some characters of its text. */
async function boxOf(shown: Page, selector: string, characters?: [number, number]): Promise<Box> {
  await shown.waitForSelector(selector, { state: 'attached' })
  return shown.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)})
    const characters = ${JSON.stringify(characters ?? null)}
    const range = document.createRange()
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode()
    if (characters) range.setStart(text, characters[0])
    if (characters) range.setEnd(text, characters[1])
    const { left, right, top, bottom } = (characters ? range : element).getBoundingClientRect()
    return { left, right, top, bottom }
  })()`)
}

async function show(hash: string, look: keyof typeof looks, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 700 })
  await goTo(page, hash)
  await applyLook(page, looks[look])
}

test('on phones, the text of a starred message is as wide as the screen allows', async () => {
  await show(topicHash('marked'), 'light', 360)
  await page.waitForSelector('.Row-star')
  const text = await boxOf(page, '.Row:has(.Row-star) .Row-content')
  assert.ok(text.right - text.left > 220, `${text.right - text.left} px`)
})

test('on phones, the header of a topic shows the whole name of its stream', async () => {
  await show(topicHash(longName), 'light', 360)
  await page.waitForSelector('.Conversation-stream bdi')
  const isCut = await page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.querySelector('.Conversation-stream bdi')
    return scrollWidth > clientWidth
  })()`)
  assert.equal(isCut, false)
})

test('on phones, the link to the current page of a stream is in view', async () => {
  await show(`#streams/${garden.stream_id}/garden/permissions`, 'light', 300)
  await eventually(async () => {
    const link = await boxOf(page, '.PageLinks-link[aria-current]')
    return link.left >= 0 && link.right <= 300
  })
})

test('the side pane covers neither the view nor its buttons', async () => {
  await show(topicHash('roses'), 'light', 1024)
  await page.keyboard.press('Control+Shift+Backslash')
  await page.waitForSelector('.App-side')
  for (const width of [1024, 700]) {
    await page.setViewportSize({ width, height: 700 })
    for (const part of [
      '.ViewFrame-main',
      '.Composer button[type=submit]',
      '.ViewFrame-header [aria-pressed=true]',
    ])
      await eventually(async () => (await boxOf(page, part)).right <= (await boxOf(page, '.App-side')).left)
    await takePicture(page, `side ${width}`)
  }
  await page.click('.ViewFrame-header [aria-pressed=true]')
  await page.waitForSelector('.App-side', { state: 'detached' })
})

test('on phones, a page of the settings that is opened by a link shows no focus', async () => {
  const phone = await site.openAs(reader, '#settings/profile', { viewport: { width: 360, height: 700 } })
  await phone.waitForSelector('.PagesFrame-page h2')
  await waitForLayout(phone)
  assert.equal(await phone.locator('#main:focus').count(), 0)
  // Within the settings, the focus follows to the next page.
  await phone.click('.ViewFrame-back button')
  await phone.click('.PagesFrame-link[href="#settings/display"]')
  await phone.waitForSelector('#main:focus')
})

test('in browsers that cannot place it above the composer, the line with an undo button covers no header and no composer', async () => {
  await show(topicHash('roses'), 'light', 360)
  await page.evaluate(`(() => {
    const drop = (rules) => [...rules.cssRules].forEach((rule) => {
      if (rule.conditionText?.includes('anchor-name')) rules.deleteRule([...rules.cssRules].indexOf(rule))
      else if (rule.cssRules) drop(rule)
    })
    for (const sheet of document.styleSheets) drop(sheet)
  })()`)
  await page.locator('.Row-message').last().focus()
  await page.keyboard.press('Shift+M')
  await page.fill('.Composer textarea', 'Soon')
  await page.waitForSelector('.Undo-line')
  await waitForLayout(page)
  await takePicture(page, 'undo without anchors')
  const [line, header] = [await boxOf(page, '.Undo-line'), await boxOf(page, '.ViewFrame-header')]
  const composer = await boxOf(page, '.Composer')
  assert.ok(
    line.top >= header.bottom && line.bottom <= composer.top,
    JSON.stringify({ line, header, composer }),
  )
  await page.locator('.Undo-line').getByRole('button', { name: 'Undo' }).click()
  await page.fill('.Composer textarea', '')
  await page.reload()
})

test('on phones, the arrows of the lightbox are below the picture', async () => {
  await show(topicHash('pictures'), 'light', 360)
  await page.locator('.message_inline_image a').first().click()
  await eventually(() => page.evaluate("document.querySelector('.Lightbox img')?.complete"))
  const [image, arrow] = [await boxOf(page, '.Lightbox img'), await boxOf(page, '.Lightbox-after')]
  assert.ok(image.left >= 0 && image.right <= 360, JSON.stringify(image))
  assert.ok(arrow.top >= image.bottom, JSON.stringify({ image, arrow }))
  await page.keyboard.press('Escape')
})

test('from right to left, the left arrow key shows the next picture', async () => {
  await show(topicHash('pictures'), 'right to left', 1024)
  await page.locator('.message_inline_image a').first().click()
  await page.waitForSelector('.Lightbox')
  assert.match(await page.innerText('.Lightbox-place'), /^1/)
  await page.keyboard.press('ArrowLeft')
  assert.match(await page.innerText('.Lightbox-place'), /^2/)
  await page.keyboard.press('Escape')
})

test('from right to left, names from left to right are cut at their end', async () => {
  await show(`#narrow/stream/${garden.stream_id}-garden`, 'right to left', 360)
  await page.waitForSelector(`.Bar-topic:has-text("which trees")`)
  await page.evaluate(`[...document.querySelectorAll('.Bar-topic')]
    .find((name) => name.textContent.startsWith('which')).id = 'long'`)
  const [bar, first] = [await boxOf(page, '#long'), await boxOf(page, '#long', [0, 1])]
  assert.ok(first.left >= bar.left && first.right <= bar.right, JSON.stringify({ bar, first }))
})

test('from right to left, names of people are cut at their end, beside other words and in sentences', async () => {
  const { owner } = site.world
  const full_name = 'Bartholomew Maximilian von Rosenberg-Hohenstein'
  const { user_id } = await owner.users.create({
    email: 'bartholomew@garden.example',
    password: 'heron lake 77 reeds',
    full_name,
  })
  await owner.users.update({ user_id, role: 600 })
  const fern = await site.world.person('fern')
  await site.world.stream(longStream, { members: [fern] })
  await owner.subscriptions.subscribe({
    subscriptions: [{ name: garden.name }],
    principals: [user_id, fern.user_id],
  })
  await fern.messages.send({ type: 'private', to: [user_id], content: 'Welcome' })
  await fern.messages.send({ type: 'stream', to: longStream, topic: 'quince', content: 'Ripe' })
  await fern.settings.updateDisplay({ default_language: 'ar' })
  const phone = await site.openAs(fern, '#narrow/is/private', { viewport: { width: 360, height: 700 } })
  const name = full_name.slice(0, 11)
  /** Checks that the beginning of a name is inside the box that cuts it. */
  const checkName = async (box: string, text: string) => {
    await phone.waitForSelector(`${box} bdi:has-text("${text}")`)
    await phone.evaluate(`(() => {
      const name = [...document.querySelectorAll('${box} bdi')].find((bdi) => bdi.textContent.startsWith('${text}'))
      name.id = 'cut-name'
      name.closest('${box}').id = 'cut-box'
    })()`)
    await takePicture(phone, `cut ${box}`)
    const [outer, first] = [await boxOf(phone, '#cut-box'), await boxOf(phone, '#cut-name', [0, 1])]
    assert.ok(first.left >= outer.left && first.right <= outer.right, JSON.stringify({ box, outer, first }))
  }
  await checkName('.Bar-topic', name)
  await goTo(phone, `#streams/${garden.stream_id}/garden/members`)
  await checkName('.MembersPage-name', name)
  await goTo(phone, '#people')
  await checkName('.People-name', name)
  await phone.keyboard.press('Control+k')
  await checkName('.Jump-stream', longStream.slice(0, 11))
})

test('from right to left, names of streams in the list are cut at their end', async () => {
  await show('#inbox', 'right to left', 1280)
  await page.waitForSelector('.NavStream bdi')
  await page.evaluate(`const name = document.querySelector('.NavStream bdi')
    name.textContent = 'a stream with a name that is far too long for this list of streams'
    name.parentElement.id = 'nav-name'; name.id = 'nav-text'`)
  const [row, first] = [await boxOf(page, '#nav-name'), await boxOf(page, '#nav-text', [0, 1])]
  assert.ok(first.left >= row.left && first.right <= row.right, JSON.stringify({ row, first }))
})

test('from right to left, short texts from left to right are beside their sender', async () => {
  await show(topicHash(longName), 'right to left', 1280)
  const [name, text] = [await boxOf(page, '.RowHead-name'), await boxOf(page, '.Row .Body p', [0, 6])]
  assert.ok(Math.abs(name.right - text.right) <= 2, JSON.stringify({ name, text }))
})

test('from right to left, options of a poll begin at their boxes', async () => {
  await show(topicHash('compost'), 'right to left', 1280)
  await page.waitForSelector('.Widget-text')
  const [mark, text] = [await boxOf(page, '.Widget-check'), await boxOf(page, '.Widget-text', [0, 6])]
  assert.ok(mark.left - text.right < 16, JSON.stringify({ mark, text }))
})

test('suggestions of streams show descriptions without Markdown', async () => {
  await show('#inbox', 'light', 1280)
  await page.keyboard.press('c')
  await page.waitForSelector('.WriteDialog .Typeahead-row')
  assert.match(await page.innerText('.WriteDialog .Typeahead'), /What grows here/)
  await page.keyboard.press('Escape')
})

test('no test has violated the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
