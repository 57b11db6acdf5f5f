import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { hasOperands, isOperands } from '@oxbow/contract/plain'
import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { type ComposerCommand, findCommand } from '../src/composer/keys.ts'
import { goTo, startClientSite } from './open-client.ts'
import { fillSampleWorld } from './sample-world.ts'

// Compares the user help with the client, and opens every screen that the help shows. With
// OXBOW_HELP_PICTURES=docs/images/using, also writes the screenshots of the help and the README again.
const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const { olive, iris } = await fillSampleWorld(world)
const { subscriptions } = await olive.subscriptions.list()
const garden = subscriptions.find(({ name }) => name === 'garden')
const team = subscriptions.find(({ name }) => name === 'core team')
const roses = `#narrow/stream/${garden?.stream_id}-garden/topic/roses`
const page = await site.openAs(world.owner, '#inbox', { viewport: { width: 1080, height: 680 } })

/** Waits until the pictures of messages are shown. */
const waitForPictures = (shown: Page) =>
  eventually(() => shown.evaluate('[...document.images].every((image) => image.complete)'))

const readHelpPage = (name: string) =>
  readFileSync(new URL(`../../../docs/using/${name}.md`, import.meta.url), 'utf8')

/** Returns the first two cells of each row in the table below a heading. */
function readTable(text: string, heading: string): [string, string][] {
  const [, part = ''] = text.split(`\n## ${heading}\n`)
  const [section = ''] = part.split('\n## ')
  return [...section.matchAll(/^\| (.+?) \| (.+?) \|$/gm)]
    .slice(1)
    .map(([, first = '', second = '']) => [first, second])
}

/** Writes a screenshot for the help if requested, with few colours to keep the file small. */
async function keepPicture(shown: Page, name: string): Promise<void> {
  const folder = process.env.OXBOW_HELP_PICTURES
  if (!folder) return
  // No row is marked as being under the pointer.
  await shown.mouse.move(0, 0)
  await sharp(await shown.screenshot())
    .png({ palette: true, colours: 128, compressionLevel: 9 })
    .toFile(`${folder}/${name}.png`)
}

const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  Escape: 'Esc',
  Mod: 'Ctrl',
}

/** Formats keys of the keyboard map like the help: `Mod+k` is `Ctrl K`. */
function writeKeys(keys: string): string {
  if (keys.includes(' ')) return keys.split(' ').map(writeKeys).join(' then ')
  const parts = keys.length === 1 ? [keys] : keys.split('+')
  const named = parts.map(
    (part) => signs[part] ?? (parts.length > 1 && part.length === 1 ? part.toUpperCase() : part),
  )
  return `\`${named.join(' ')}\``
}

test('the help lists every key of the keyboard map with its effect', async () => {
  await goTo(page, '#inbox')
  await page.keyboard.press('?')
  await page.waitForSelector('.KeysDialog')
  const groups = await page.evaluate<{ title: string; rows: [string, string][] }[]>(`
    [...document.querySelectorAll('.KeysDialog-group')].map((group) => ({
      title: group.querySelector('h3').textContent,
      rows: [...group.querySelectorAll('.KeysDialog-row')]
        .map((row) => [row.dataset.keys, row.querySelector('dt').textContent]),
    }))`)
  const text = readHelpPage('keys')
  assert.deepEqual(
    [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title),
    groups.map(({ title }) => title),
  )
  for (const { title, rows } of groups) {
    const expected = rows.map(([keys, does]) => [
      (JSON.parse(keys) as string[]).map(writeKeys).join(' or '),
      does,
    ])
    assert.ok(expected.length > 0)
    assert.deepEqual(readTable(text, title), expected)
  }
  await page.keyboard.press('Escape')
  await page.waitForSelector('.KeysDialog', { state: 'detached' })
})

const composerCommands: Readonly<Record<string, ComposerCommand>> = {
  bold: 'bold',
  italic: 'italic',
  link: 'link',
  code: 'code',
  list: 'bullets',
  'numbered list': 'numbers',
  quotation: 'quote',
  preview: 'preview',
  'edit your last message': 'edit last',
  'leave the field; the text stays': 'leave',
}

test('the keys that the help lists for the composer run the commands that it names', () => {
  const codes: Readonly<Record<string, string>> = { '8': 'Digit8', '7': 'Digit7', '.': 'Period' }
  const rows = readTable(readHelpPage('writing'), 'Keys while you write')
  assert.deepEqual(rows.map(([, does]) => does).sort(), Object.keys(composerCommands).sort())
  for (const [keys, does] of rows) {
    const parts = (/`(.+)`/.exec(keys)?.[1] ?? '').split(' ')
    const last = parts.at(-1) ?? ''
    const key = { '↑': 'ArrowUp', Esc: 'Escape' }[last] ?? last
    const pressed = {
      key,
      code: codes[last] ?? `Key${last}`,
      ctrlKey: parts.includes('Ctrl'),
      metaKey: false,
      shiftKey: parts.includes('Shift'),
      altKey: parts.includes('Alt'),
      isComposing: false,
    }
    assert.equal(findCommand(pressed, { entersSend: false, isEmpty: true }), composerCommands[does], keys)
  }
})

test('the help lists every search condition that the client offers', async () => {
  await goTo(page, '#search')
  await page.waitForSelector('.Typeahead-row')
  const offered = await page.locator('.Typeahead-title').allTextContents()
  const listed = readTable(readHelpPage('finding'), 'Search').map(([typed]) => typed.replaceAll('`', ''))
  const fixed = [...isOperands.map((value) => `is:${value}`), ...hasOperands.map((value) => `has:${value}`)]
  const operators = offered.filter((title) => /^[a-z-]+:$/.test(title))
  assert.deepEqual(new Set(listed.map((typed) => typed.replace(/:.*/, ':'))), new Set(operators))
  for (const condition of fixed) assert.ok(listed.includes(condition), condition)
  assert.equal(listed.filter((typed) => /^(is|has):/.test(typed)).length, fixed.length)
})

test('the item Help in the organization menu opens the help in a new tab', async () => {
  await goTo(page, '#inbox')
  await page.getByRole('button', { name: 'The Garden: menu' }).click()
  const [help] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('menuitem', { name: 'Help', exact: true }).click(),
  ])
  await help.waitForSelector('h1')
  assert.equal(new URL(help.url()).pathname, '/help')
  await help.getByRole('link', { name: 'Finding messages and people' }).first().click()
  await help.waitForURL(/\/help\/finding$/)
  assert.ok(await help.evaluate('[...document.images].every((image) => image.naturalWidth > 300)'))
  await help.close()
})

test('every screen that the help shows can be opened', async () => {
  await goTo(page, '#inbox')
  await page.waitForSelector('.Inbox-about:has-text("summer party")')
  await keepPicture(page, 'inbox')

  await goTo(page, roses)
  await page.waitForSelector('.Row:has-text("summer party")')
  await waitForPictures(page)
  await keepPicture(page, 'topic')

  await page.locator('.Composer textarea').pressSequentially('Thank you, @ir')
  await page.waitForSelector('.Typeahead-row:has-text("Iris Gardener")')
  await keepPicture(page, 'mention')
  await page.locator('.Composer textarea').fill('')

  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.locator('.Jump input').pressSequentially('ro')
  await page.waitForSelector('.Jump [role=option]:has-text("Rosalind Hale")')
  await keepPicture(page, 'jump')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.Jump', { state: 'detached' })

  await goTo(page, '#narrow/search/prune')
  await page.waitForSelector('.Row .highlight')
  await keepPicture(page, 'search')

  await goTo(page, '#recent')
  await page.waitForSelector('.Recent-list [role=option], .Recent-list li, .RecentRow')
  await keepPicture(page, 'recent')

  await goTo(page, '#settings/notifications')
  await page.waitForSelector('.NotificationsPage-table')
  await keepPicture(page, 'notifications')

  await world.owner.bots.create({ full_name: 'Garden Herald', short_name: 'herald', bot_type: 1 })
  await world.owner.bots.create({ full_name: 'Weather Station', short_name: 'weather', bot_type: 2 })
  await goTo(page, '#settings/bots')
  await page.waitForSelector('.SettingList-row:has-text("Weather Station")')
  await keepPicture(page, 'bots')

  const phone = await site.openAs(world.owner, `#narrow/pm-with/${iris.user_id}-Iris`, {
    viewport: { width: 390, height: 700 },
    hasTouch: true,
  })
  await phone.waitForSelector('.Row:has-text("long")')
  await keepPicture(phone, 'phone')
})

test('the screens of the README can be opened in the light and the dark theme', async () => {
  const size = { viewport: { width: 1440, height: 900 } }
  const light = await site.openAs(world.owner, roses, size)
  await light.waitForSelector('.Row:has-text("summer party")')
  await waitForPictures(light)
  await keepPicture(light, '../web-client-light')
  const budget = `#narrow/stream/${team?.stream_id}-core-team/topic/budget.202027`
  const dark = await site.openAs(world.owner, budget, { ...size, colorScheme: 'dark' })
  await dark.waitForSelector('.Row .katex')
  await waitForPictures(dark)
  await keepPicture(dark, '../web-client-dark')
})
