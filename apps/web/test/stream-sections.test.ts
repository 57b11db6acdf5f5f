import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import { findAccessProblems, startClientSite } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const { owner } = world
const [iris] = await world.people('iris')
for (const name of ['garden', 'pond', 'shed', 'tools']) await world.stream(name, { members: [owner, iris] })
const wide = { viewport: { width: 1280, height: 900 } }

/** The shown sections, each with its title and its streams. The one without a heading has no title. */
const read = (page: Page) =>
  page.evaluate(`[...document.querySelectorAll('[aria-labelledby=nav-streams] .Nav-list')].map((list) => [
    list.closest('.NavSection')?.querySelector('.NavSection-title bdi').textContent ?? '',
    ...[...list.querySelectorAll('.NavStream > .NavRow bdi')].map((name) => name.textContent),
  ].join(' '))`) as Promise<string[]>
const shows = (page: Page, ...sections: string[]) =>
  eventually(async () => (await read(page)).join('; ') === sections.join('; '))
const row = (page: Page, name: string) => page.locator('.NavStream', { hasText: name })
/** Chooses an item of the menu of a stream, with the keyboard. */
async function choose(page: Page, stream: string, item: string): Promise<void> {
  // A dialog shows its change before it closes, and until then nothing behind it takes the focus.
  await page.locator('.Dialog').waitFor({ state: 'hidden' })
  await row(page, stream).locator('> .NavRow').focus()
  await row(page, stream).locator('.NavStream-menu').waitFor({ state: 'attached' })
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('[role=menuitem]:visible', { hasText: item }).press('Enter')
}

test('an administrator makes a folder and puts a stream into it, and everyone sees it', async () => {
  const page = await site.openAs(owner, '#organization/streams', wide)
  const member = await site.openAs(iris, '', wide)
  await shows(member, ' garden pond shed tools')
  await page.fill('[name=name]', 'Beds')
  await page.fill('[name=description]', 'What grows')
  await page.click('button:has-text("Create the folder")')
  await page.waitForSelector('.SettingList-row:has-text("What grows")')
  assert.deepEqual(await findAccessProblems(page), [])

  const { stream_id } = await owner.streams.getId({ stream: 'pond' })
  await page.evaluate(`location.hash = '#streams/${stream_id}/pond/general'`)
  await page.click('button:has-text("Rename or describe")')
  await page.selectOption('.Choice-select', { label: 'Beds' })
  await page.click('.StreamDetails-form button[type=submit]')

  await shows(member, 'Beds pond', 'Other streams garden shed tools')
  assert.deepEqual(await findAccessProblems(member), [])
})

test('a person arranges streams and sections by menu and keyboard, on all devices', async () => {
  const page = await site.openAs(iris, '', wide)
  const phone = await site.openAs(iris, '', { viewport: { width: 1100, height: 700 } })

  await choose(page, 'tools', 'Move to a folder')
  await page.fill('.Dialog [type=text]', ' Mine ')
  await page.keyboard.press('Enter')
  await shows(page, 'Mine tools', 'Beds pond', 'Other streams garden shed')
  await choose(page, 'shed', 'Move up')
  await choose(page, 'pond', 'Move to a folder')
  await page.check('.Dialog label:has-text("Mine") input')
  await page.click('.Dialog button:has-text("Move")')
  await choose(page, 'garden', 'Pin to the top')
  await shows(page, 'Pinned garden', 'Mine tools pond', 'Other streams shed')
  await page.click('[aria-label="Mine: menu"]')
  await page.click('[role=menuitem]:visible:has-text("Move up")')

  const arranged = ['Mine tools pond', 'Pinned garden', 'Other streams shed']
  await shows(page, ...arranged)
  await shows(phone, ...arranged)
  assert.deepEqual(await findAccessProblems(page), [])

  await page.click('[aria-label="Mine: menu"]')
  await page.click('[role=menuitem]:visible:has-text("Delete the folder")')
  await shows(phone, 'Pinned garden', 'Beds pond', 'Other streams shed tools')
  await page.click('.Undo-line button')
  await shows(phone, ...arranged)
})

test('a section that is folded stays folded after a reload, and says what is unread in it', async () => {
  const page = await site.openAs(iris, '', wide)
  await page.click('.NavSection-title button:has-text("Mine")')
  await shows(page, 'Pinned garden', 'Other streams shed')
  await page.reload()
  await shows(page, 'Pinned garden', 'Other streams shed')
  await owner.messages.send({ type: 'stream', to: 'tools', topic: 'rakes', content: 'Bent' })
  await page.waitForSelector('.NavSection-head:has-text("Mine") .Count:has-text("1")')
})
