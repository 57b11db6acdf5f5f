import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, freePort } from '@oxbow/testkit'
import { borrowBrowser } from '@oxbow/testkit/browser'
import { bySize } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
import { serveStyleguide } from '../scripts/serve-styleguide.ts'
import { collectProblems, findAccessProblems, takePicture } from './open-client.ts'

const styleguide = await serveStyleguide(await freePort())
const borrowed = await borrowBrowser()
after(async () => {
  await borrowed[Symbol.asyncDispose]()
  await styleguide[Symbol.asyncDispose]()
})
const problems: string[] = []
const page = await borrowed.browser.newPage({ reducedMotion: 'reduce' })
collectProblems(page, problems)
await page.goto(styleguide.url)
await page.waitForSelector('.Styleguide')

const focusedText = () => page.evaluate('document.activeElement.innerText.trim()')
const openLook = async (look: string, direction = 'ltr') => {
  await page.selectOption('.Styleguide-head select >> nth=0', look)
  await page.selectOption('.Styleguide-head select >> nth=1', direction)
}

for (const [look, direction] of [
  ['light', 'ltr'],
  ['dark', 'ltr'],
  ['light contrast', 'ltr'],
  ['dark contrast', 'ltr'],
  ['light', 'rtl'],
] as const)
  test(`all tokens and components are accessible: ${look}, ${direction}`, async () => {
    await openLook(look, direction)
    for (const width of bySize({ gate: [direction === 'rtl' ? 360 : 1440], long: [1440, 360] })) {
      await page.setViewportSize({ width, height: 900 })
      await pictureOf(page, `styleguide-${look}-${direction}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `${width}`)
    }
  })

test('overlays are accessible, and closing them returns the focus to their button', async () => {
  await openLook('light')
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const name of ['Menu', 'Popover', 'Dialog', 'Sheet', 'Why?']) {
    const button = page.locator('section button', { hasText: new RegExp(`^${name.replace('?', '\\?')}$`) })
    await button.focus()
    await page.keyboard.press('Enter')
    await eventually(
      async () => (await page.locator(':popover-open:not(.Tooltip), dialog[open]').count()) > 0,
    )
    await takePicture(page, `overlay-${name.replace('?', '')}`)
    assert.deepEqual(await findAccessProblems(page, ':popover-open:not(.Tooltip), dialog[open]'), [], name)
    await page.keyboard.press('Escape')
    await eventually(async () => (await page.locator(':popover-open, dialog[open]').count()) === 0)
    assert.equal(await focusedText(), name)
  }
})

test('a menu does not activate disabled items, and says why they are disabled', async () => {
  await page.click('button:has-text("Menu")')
  const item = page.locator('[role=menuitem]', { hasText: 'Edit' })
  assert.equal(await item.getAttribute('aria-disabled'), 'true')
  assert.match(await item.innerText(), /ten minutes/)
  await item.click({ force: true })
  assert.equal(await page.locator('.Menu:popover-open').count(), 1)
  await page.keyboard.press('Escape')
})

test('tabs are chosen by arrow keys, in the direction of reading', async () => {
  const selected = () => page.innerText('[role=tab][aria-selected=true]')
  await page.focus('[role=tab][aria-selected=true]')
  await page.keyboard.press('ArrowRight')
  assert.equal(await selected(), 'Guests')
  await openLook('light', 'rtl')
  await page.focus('[role=tab][aria-selected=true]')
  await page.keyboard.press('ArrowRight')
  assert.equal(await selected(), 'All')
  await openLook('light')
})

test('a combobox filters, announces and selects options by keyboard', async () => {
  const field = page.getByRole('combobox', { name: 'Person' })
  await field.fill('gard')
  assert.equal(await field.getAttribute('aria-expanded'), 'true')
  await page.keyboard.press('ArrowDown')
  const active = await field.getAttribute('aria-activedescendant')
  assert.equal(await page.innerText(`[id="${active}"]`), 'Otto Gardener')
  await page.keyboard.press('Enter')
  assert.equal(await field.inputValue(), 'Otto Gardener')
  await field.fill('')
})

test('a list of 100,000 rows renders few of them, and its last row can be reached by keyboard', async () => {
  const count = () => page.locator('.FixedList-row').count()
  assert.ok((await count()) < 40)
  await page.focus('.FixedList-row[tabindex="0"]')
  await page.keyboard.press('End')
  await eventually(
    async () => (await focusedText()) === 'Person 100000' || /100000/.test(String(await focusedText())),
  )
  assert.equal(await page.getAttribute(':focus', 'aria-posinset'), '100000')
  assert.ok((await count()) < 40)
})

test('an undo line describes the action and disappears when it is used', async () => {
  await page.click('button:has-text("Do something")')
  const line = page.locator('.Undo-line')
  assert.match(await line.innerText(), /12 messages marked as read/)
  await line.getByRole('button', { name: 'Undo' }).click()
  assert.equal(await line.count(), 0)
})

test('the style guide writes no error to the console', () => {
  assert.deepEqual(problems, [])
})

/** Takes a screenshot of the whole style guide, which scrolls inside its window. */
async function pictureOf(shown: Page, name: string): Promise<void> {
  const { width } = shown.viewportSize() ?? { width: 1440 }
  if (!process.env.OXBOW_PAGE_PICTURES) return
  await shown.setViewportSize({ width, height: 3_200 })
  await takePicture(shown, name)
  await shown.setViewportSize({ width, height: 900 })
}
