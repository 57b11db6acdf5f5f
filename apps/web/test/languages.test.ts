import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
import { fillForViews, listViewHashes } from './every-view.ts'
import { findAccessProblems, goTo, startClientSite, takePicture } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const views = await fillForViews(site.world)
const { reader, garden } = views
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const hashes = listViewHashes(views)
const language = (page: Page) => page.evaluate<string>('document.documentElement.lang')

const page = await site.openAs(reader, '#settings/display')

test('the language is chosen in the settings, takes effect at once and survives a reload', async () => {
  await page.getByLabel('Language').selectOption({ label: 'Deutsch' })
  await page.waitForSelector('h1:has-text("Einstellungen")')
  assert.match(await page.innerText('.App-nav'), /Eingang[\s\S]*Entwürfe/)
  assert.equal(await language(page), 'de')
  await page.reload()
  await page.waitForSelector('h1:has-text("Einstellungen")')
  await takePicture(page, 'language-de')
  const { default_language } = await reader.events.register({
    fetch_event_types: ['update_display_settings'],
  })
  assert.equal(default_language, 'de')
})

test('numbers, plurals and dates follow the rules of the language', async () => {
  await goTo(page, '#inbox')
  assert.match(await page.innerText('.App-nav'), /Streams/)
  await goTo(page, roses)
  await page.waitForSelector('.Row[data-id]')
  const day = await page.locator('.DayLine, .Lines-day').first().innerText()
  assert.match(day, /Heute|Gestern|Montag|Dienstag|Mittwoch|Donnerstag|Freitag|Samstag|Sonntag/)
})

test('no view in German is wider than the window of a phone', async () => {
  await page.setViewportSize({ width: 360, height: 640 })
  const wide: string[] = []
  for (const hash of sampleInGate(hashes, 20)) {
    await goTo(page, hash)
    if (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) wide.push(hash)
  }
  assert.deepEqual(wide, [])
})

test('a browser in German starts in German before the account is known', async () => {
  const other = await site.newContext({ locale: 'de-AT' })
  await site.signInTo(other, reader)
  const tab = await other.newPage()
  // The request never gets a response, so that the boot screen stays.
  await tab.route('**/api/v1/register', () => {})
  await tab.goto(`${site.url}/`)
  await tab.waitForSelector('.Boot [role=status]:has-text("Verbindung zum Server")', { state: 'attached' })
  await other.close()
})

test('Arabic is written from right to left, and no view is wider than its window', async () => {
  await reader.settings.updateDisplay({ default_language: 'ar' })
  await page.waitForSelector('html[dir=rtl]')
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 700 })
    for (const hash of ['#inbox', roses]) {
      await goTo(page, hash)
      await takePicture(page, `language-ar-${width}-${hash.length}`)
      assert.deepEqual(await findAccessProblems(page), [], `${hash} ${width}`)
    }
    if (width === 1280) {
      const nav = await page.locator('.App-nav').boundingBox()
      assert.ok(nav && nav.x > width / 2, 'the nav is at the right')
    }
  }
  await page.reload()
  assert.equal(await page.evaluate('document.documentElement.dir'), 'rtl')
  await reader.settings.updateDisplay({ default_language: 'en' })
  await page.waitForSelector('html[dir=ltr]')
  await eventually(async () => (await language(page)) === 'en')
})

test('views that are loaded later show English texts that the language lacks', async () => {
  await reader.settings.updateDisplay({ default_language: 'ar' })
  const tab = await site.openAs(reader, '#settings/bots')
  await tab.waitForSelector('html[dir=rtl] h2:has-text("Your bots")')
  await reader.settings.updateDisplay({ default_language: 'en' })
  await tab.waitForSelector('html[dir=ltr] h2:has-text("Your bots")')
})

/** A character that no text of the client contains. */
const mark = '¤'

/**
 * Lengthens every text of a compiled catalogue by 40 %, and appends a mark. Keys, which are followed by
 * a colon, stay unchanged.
 */
function lengthen(script: string): string {
  const literals = /(["'`])((?:\\.|(?!\1)[^\\])*)\1(\s*:)?/g
  return script.replace(literals, (whole, quote: string, text: string, colon: string | undefined) => {
    if (colon !== undefined || !/\p{L}{2}/u.test(text)) return whole
    const more = 'ae '.repeat(Math.ceil((text.length * 0.4) / 3)).trim()
    const end = text.endsWith(' ') ? ' ' : ''
    return `${quote}${text.trimEnd()} ${more}${mark}${end}${quote}`
  })
}

/** Returns the entries of a compiled catalogue, without the braces around them. */
async function readCompiled(name: string): Promise<string> {
  const compiled = await readFile(join(import.meta.dirname, `../src/text/${name}.generated.ts`), 'utf8')
  return compiled.slice(compiled.indexOf('= {') + 3, compiled.lastIndexOf('}'))
}

/** Lists texts of the client that an element cuts off and that cannot be scrolled into view. */
const findCut = (on: Page) =>
  on.evaluate<string[]>(`(() => {
    const cut = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!node.data.includes('${mark}') || node.parentElement.closest('.Spoken, option, [hidden], dialog:not([open])')) continue
      const range = document.createRange()
      range.selectNodeContents(node)
      const box = range.getBoundingClientRect()
      if (box.width === 0) continue
      for (let each = node.parentElement; each && each !== document.body; each = each.parentElement) {
        const { overflowX, overflowY } = getComputedStyle(each)
        const frame = each.getBoundingClientRect()
        const isCutX = /hidden|clip/.test(overflowX) && (box.right > frame.right + 1 || box.left < frame.left - 1)
        const isCutY = /hidden|clip/.test(overflowY) && (box.bottom > frame.bottom + 2 || box.top < frame.top - 2)
        if (isCutX || isCutY) cut.push(each.className + ': ' + node.data)
        if (isCutX || isCutY || /auto|scroll/.test(overflowX + overflowY)) break
      }
    }
    return cut
  })()`)

test('texts that are longer by 40 % are not cut off in any view', async () => {
  await reader.settings.updateDisplay({ default_language: 'de' })
  const other = await site.newContext()
  await site.signInTo(other, reader)
  await other.route(/\/assets\/de\.generated-/, async (route) => {
    const english = await Promise.all(['en', 'en-later'].map(readCompiled))
    const body = `export const de = {${lengthen(english.join(''))}}`
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  const tab = await site.openTab(other)
  await eventually(async () => (await tab.innerText('.App-nav')).includes(mark))
  const problems: string[] = []
  // In the gate, a quarter of the views at each width.
  for (const [remainder, width] of [1280, 360].entries())
    for (const [index, hash] of hashes.entries()) {
      if (bySize({ gate: index % 4 !== remainder, long: false })) continue
      await tab.setViewportSize({ width, height: 700 })
      await goTo(tab, hash)
      const isWide = await tab.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')
      if (isWide) problems.push(`${hash} ${width} scrolls sideways`)
      problems.push(...(await findCut(tab)).map((each) => `${hash} ${width} ${each}`))
      if (index < 4) await takePicture(tab, `long-texts-${index}-${width}`)
    }
  assert.deepEqual([...new Set(problems)], [])
  await other.close()
})

test('no language violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
