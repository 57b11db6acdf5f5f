import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, pngOf } from '@oxbow/testkit'
import type { Page, Route } from 'playwright-core'
import {
  applyLook,
  findAccessProblems,
  looks,
  startClientSite,
  takePicture,
  waitForLayout,
} from './open-client.ts'

// Files are links in the text. The text stays readable for the server whatever someone does around them.
const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const iris = await world.person('iris')
const garden = await world.stream('garden', { members: [iris] })
const hash = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const gate = { name: 'gate.png', mimeType: 'image/png', buffer: Buffer.from(pngOf(400, 300)) }

const page = await site.openAs(iris, hash)
const field = page.locator('.Composer .WritingField-text')
const wholeLink = /^\[gate\.png\]\(\/user_uploads\/[\w/-]+\/gate\.png\)/

const readText = (shown = page) => shown.locator('.Composer .WritingField-text').inputValue()
/** Evaluates an expression with the field as `field`. */
const evaluateField = <Result>(expression: string, shown = page): Promise<Result> =>
  shown.evaluate(`(() => {
    const field = document.querySelector('.Composer .WritingField-text')
    return ${expression}
  })()`)

/** Waits until the selection begins and ends at these indices. */
const waitForSelection = (start: number, end: number, shown = page) =>
  eventually(
    async () =>
      (await evaluateField<string>('[field.selectionStart, field.selectionEnd].join()', shown)) ===
      `${start},${end}`,
  )

/** Attaches a picture with the button, and waits for its link. */
async function attach(shown: Page): Promise<string> {
  await shown.locator('.Composer input[type=file]').setInputFiles(gate)
  return eventually(async () => wholeLink.exec(await readText(shown))?.[0])
}

/** Fetches the newest message of the topic as Markdown. */
async function fetchNewest(): Promise<string> {
  const { messages } = await iris.messages.list({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    apply_markdown: false,
  })
  return messages[0]?.content ?? ''
}

test('by touch, a caption that is typed after a tap on the link of a picture comes below the link', async () => {
  const phone = await site.openAs(iris, hash, {
    viewport: { width: 360, height: 640 },
    hasTouch: true,
    isMobile: true,
  })
  await phone.locator('.Composer .WritingField-text').tap()
  const link = await attach(phone)
  const { x, y, width } = (await phone.locator('.Composer .WritingField-text').boundingBox()) ?? assert.fail()
  for (const [left, top] of [
    [60, 24],
    [width - 30, 24],
    [100, 46],
  ] as const) {
    await phone.touchscreen.tap(x + left, y + top)
    await waitForSelection(link.length + 1, link.length + 1, phone)
  }
  await phone.keyboard.type('Our new gate')
  await takePicture(phone, 'attaching-caption')
  assert.equal(await readText(phone), `${link}\nOur new gate`)
  await phone.click('.Composer button[type=submit]')
  await phone.waitForSelector('.Row[data-id] .message_inline_image img')
  await eventually(async () => (await fetchNewest()) === `${link}\nOur new gate`)
  await phone.context().close()
})

test('arrow keys, selections and scripts cannot put the caret into a link, and it is deleted as a whole', async () => {
  await field.focus()
  const link = await attach(page)
  const end = link.length
  await waitForSelection(end + 1, end + 1)
  for (const [key, caret] of [
    ['ArrowLeft', [end, end]],
    ['ArrowLeft', [0, 0]],
    ['ArrowRight', [end, end]],
    ['Control+ArrowLeft', [0, 0]],
    ['Shift+ArrowRight', [0, end]],
    ['Shift+ArrowRight', [0, end + 1]],
    ['Shift+ArrowLeft', [0, end]],
    ['Shift+ArrowLeft', [0, 0]],
  ] as const) {
    await page.keyboard.press(key)
    await waitForSelection(caret[0], caret[1])
  }
  await evaluateField('field.setSelectionRange(12, 20)')
  await waitForSelection(0, end)
  await evaluateField('field.setSelectionRange(20, 20)')
  await waitForSelection(end + 1, end + 1)

  // A text that reaches the inside of the link all the same, as from some input methods, is moved behind it.
  await evaluateField(
    "field.addEventListener('beforeinput', () => field.setSelectionRange(20, 20), { once: true })",
  )
  await page.keyboard.insertText('Gate')
  await eventually(async () => (await readText()) === `${link}\nGate`)
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Backspace')
  await eventually(async () => (await readText()) === '\nGate')
  await page.keyboard.press('Control+z')
  await eventually(async () => (await readText()) === `${link}\nGate`)
  await field.fill('')
})

test('after files were attached or removed, the field has the focus, so that the keys for sending work', async () => {
  await field.fill('With the ladder')
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.click('.Composer [aria-label="Attach files"]'),
  ])
  await chooser.setFiles(gate)
  await page.waitForSelector('.Composer .WritingField-text:focus')
  await page.waitForSelector('.UploadTiles-description')
  await page.click('.UploadTiles [aria-label="Remove gate.png"]')
  await page.waitForSelector('.Composer .WritingField-text:focus')
  await page.keyboard.press('Control+Enter')
  await eventually(async () => (await fetchNewest()) === 'With the ladder')
})

test('a text that is typed while a file is uploaded stays together', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  await page.route('**/api/v1/user_uploads', hold, { times: 1 })
  await field.focus()
  await page.keyboard.type('Our new')
  await page.locator('.Composer input[type=file]').setInputFiles(gate)
  await (await held).continue()
  await page.waitForSelector('.UploadTiles-description')
  await page.keyboard.type(' gate')
  assert.match(await readText(), /^Our new gate\n\[gate\.png\]\(\S+\)\n$/)
  await field.fill('')
})

test('a message is not sent with a damaged link to its file, which can be restored', async () => {
  await field.focus()
  const link = await attach(page)
  const before = await fetchNewest()
  // As after undoing, or pasting parts of the text.
  await field.fill('')
  await field.fill(`${link.slice(0, 30)}Our new gate${link.slice(30)}\n`)
  await page.keyboard.press('Control+Enter')
  const notice = page.locator('.Composer .Notice', { hasText: 'The link to gate.png is damaged.' })
  await notice.waitFor()
  assert.equal(await fetchNewest(), before)
  for (const [name, width] of [
    ['light', 360],
    ['dark', 1280],
  ] as const) {
    await page.setViewportSize({ width, height: 640 })
    await applyLook(page, looks[name])
    await waitForLayout(page)
    await takePicture(page, `attaching-damaged-${name}`)
    assert.deepEqual(await findAccessProblems(page, '.Composer'), [])
  }
  await notice.getByRole('button', { name: 'Restore' }).click()
  await page.waitForSelector('.Composer .WritingField-text:focus')
  assert.equal(await readText(), `${link}\nOur new gate\n`)
  await page.keyboard.press('Control+Enter')
  await eventually(async () => (await fetchNewest()) === `${link}\nOur new gate`)
})

test('no test has violated the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
