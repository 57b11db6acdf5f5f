import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
import {
  applyLook,
  dragOut,
  findAccessProblems,
  looks,
  looksAt,
  startClientSite,
  takePicture,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto, fern, nora] = await world.people('iris', 'otto', 'fern', 'nora', 'rosalind')
const garden = await world.stream('garden', {
  members: [iris, otto, fern, nora],
  description: 'What grows here',
})
await world.stream('roses and shrubs', { members: [otto] })
const say = (topic: string, sender = otto) =>
  sender.messages.send({ type: 'stream', to: garden.stream_id, topic, content: 'Pruned.' })
const write = (to: { user_id: number }[], sender = otto) =>
  sender.messages.send({ type: 'private', to: to.map(({ user_id }) => user_id), content: 'Hello.' })
await say('prose for the card')
await say('roses')
const { id: soup } = await say('soup of the day')

/** Each width has its own reader, so that all tests find the same unread messages. */
const readers = { 1280: iris, 360: nora }
const widths = [1280, 360] as const
const pages = new Map<number, Page>()
for (const width of widths) {
  const reader = readers[width]
  await write([reader, fern])
  await write([reader])
  await reader.messages.changeFlags({ messages: [soup], op: 'add', flag: 'read' })
  pages.set(width, await site.openAs(reader, '#inbox', { viewport: { width, height: 700 } }))
}

const row = (page: Page, text: string) => page.locator('.Jump-row', { hasText: text })
const active = (page: Page) => page.innerText('.Jump-row[aria-selected=true]')
async function openJump(page: Page, text = ''): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.waitForSelector('.Jump[open]')
  await page.locator('.Jump-row, .Jump-hint').first().waitFor()
  if (text) await page.keyboard.type(text)
}
async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.waitForSelector('.Jump', { state: 'detached' })
}
const hashOf = (page: Page) => page.evaluate<string>('location.hash')

for (const width of widths) {
  const page = pages.get(width) as Page

  test(`Ctrl K lists unread and then recent conversations at ${width} px`, async () => {
    await openJump(page)
    await row(page, 'soup of the day').waitFor()
    const sections = await page.locator('.Jump-section').allInnerTexts()
    assert.match(sections[0] ?? '', /^unread/i)
    for (const name of ['prose for the card', 'roses', 'Fern Gardener', 'Otto Gardener'])
      assert.ok(sections[0]?.includes(name), name)
    assert.match(sections[1] ?? '', /^recent/i)
    assert.match(sections[1] ?? '', /soup of the day/)
    await takePicture(page, `jump-empty-${width}`)
    assert.deepEqual(await findAccessProblems(page), [])
    await close(page)
  })

  test(`typed letters find conversations, people, streams and commands at ${width} px`, async () => {
    await openJump(page, 'ros')
    await row(page, 'Rosalind Gardener').waitFor()
    const titles = await page.locator('.Jump-title').allInnerTexts()
    assert.deepEqual(
      titles.map((title) => title.toLowerCase()),
      ['conversations', 'people', 'streams'],
    )
    assert.match(await active(page), /garden\s*›\s*roses/)
    const texts = await page.locator('.Jump-row').allInnerTexts()
    const place = (part: string) => texts.findIndex((text) => text.includes(part))
    assert.ok(place('roses') < place('prose for the card'), texts.join('|'))
    assert.ok(place('roses and shrubs') > place('Rosalind'), texts.join('|'))
    assert.match(texts.at(-1) ?? '', /Search messages for “ros”/)
    await takePicture(page, `jump-typed-${width}`)
    for (const look of looksAt(width)) {
      await applyLook(page, looks[look])
      await takePicture(page, `jump-${look}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], look)
    }
    await applyLook(page, looks.light)
    await close(page)
  })

  test(`arrow keys and Enter open the chosen row and focus its view, at ${width} px`, async () => {
    await openJump(page, 'roses')
    await eventually(async () => (await active(page)).includes('garden'))
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    assert.match(await active(page), /Search messages/)
    await page.keyboard.press('PageUp')
    await eventually(async () => (await active(page)).includes('garden'))
    await page.keyboard.press('Enter')
    await eventually(
      async () => (await hashOf(page)) === `#narrow/stream/${garden.stream_id}-garden/topic/roses`,
    )
    await page.waitForSelector('.Row')
    const focused = width === 1280 ? '.WritingField-text' : '#main'
    await eventually(() => page.evaluate(`document.activeElement?.matches('${focused}')`))
  })

  test(`a click opens a private conversation and a command at ${width} px`, async () => {
    await openJump(page, '@otto')
    await row(page, 'Otto Gardener').click()
    await eventually(async () => (await hashOf(page)).startsWith(`#narrow/pm-with/${otto.user_id}-`))
    await openJump(page, '>settings disp')
    await row(page, 'Settings: Display').click()
    await eventually(async () => (await hashOf(page)) === '#settings/display')
  })

  test(`the last row and Shift Enter search messages, at ${width} px`, async () => {
    await openJump(page, 'pruned')
    await row(page, 'Search messages for “pruned”').click()
    await eventually(async () => (await hashOf(page)) === '#narrow/search/pruned')
    await openJump(page, 'roses')
    await page.keyboard.press('Shift+Enter')
    await eventually(async () => (await hashOf(page)) === '#narrow/search/roses')
  })

  test(`the button of the nav opens the dialog, and Esc returns the focus to it, at ${width} px`, async () => {
    await page.evaluate("location.hash = ''")
    await page.waitForSelector('.Nav-jump')
    await page.click('.Nav-jump')
    await page.waitForSelector('.Jump[open]')
    await close(page)
    assert.equal(await page.evaluate("document.activeElement?.classList.contains('Nav-jump')"), true)
    await page.click('.Nav-jump')
    await page.click('.Jump [aria-label=Close]')
    await page.waitForSelector('.Jump', { state: 'detached' })
  })
}

const page = pages.get(1280) as Page

test('the dialog stays open when a selection ends outside of it, and closes on a click outside', async () => {
  await openJump(page, 'roses')
  await dragOut(page, '.Jump-field')
  assert.equal(await page.locator('.Jump').count(), 1)
  await page.mouse.click(2, 2)
  await page.waitForSelector('.Jump', { state: 'detached' })
})

test('a leading sign limits the rows to streams, people, commands or topics of a stream', async () => {
  const kinds = async () => {
    const titles = await page.locator('.Jump-title').allInnerTexts()
    return titles.map((title) => title.toLowerCase())
  }
  for (const [text, kind, name] of [
    ['#', 'streams', 'roses and shrubs'],
    ['@fern', 'people', 'Fern Gardener'],
    ['>', 'commands', 'Next unread conversation'],
    ['gard>pro', 'topics of garden', 'prose for the card'],
  ] as const) {
    await openJump(page, text)
    await row(page, name).waitFor()
    assert.deepEqual(await kinds(), [kind])
    await close(page)
  }
})

test('the field, the active row and the number of matches are exposed to screen readers', async () => {
  await openJump(page, 'ros')
  await row(page, 'Rosalind').waitFor()
  const field = page.getByRole('combobox', { name: 'Name of a conversation, person, stream or command' })
  const activeId = await field.getAttribute('aria-activedescendant')
  assert.match(await page.innerText(`[id="${activeId}"]`), /roses/)
  assert.equal(await page.getByRole('listbox', { name: 'Matches' }).count(), 1)
  assert.equal(await page.getByRole('group', { name: 'People' }).count(), 1)
  assert.match(await page.innerText('.Jump [role=status]'), /^\d+ matches$/)
  await close(page)
})

test('letters typed before the chunk of the dialog is loaded are kept', async () => {
  const other = await site.openAs(iris, '#inbox')
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await other.route(/assets\/Jump-.*\.js/, async (request) => {
    await held
    await request.continue()
  })
  await other.waitForSelector('.Inbox')
  await other.keyboard.press('Control+k')
  await other.keyboard.type('fern')
  release()
  await row(other, 'Fern Gardener').first().waitFor()
  assert.equal(await other.inputValue('.Jump-field'), 'fern')
  await other.context().close()
})

test('conversations of new messages are found at once', async () => {
  await openJump(page, 'tulips')
  await row(page, 'Search messages').waitFor()
  assert.equal(await row(page, 'garden').count(), 0)
  await say('tulips')
  await row(page, 'garden').waitFor()
  await close(page)
})

test('keys of commands open views wherever no field has the focus', async () => {
  for (const [key, hash] of [
    ['d', '#drafts'],
    ['I', '#inbox'],
    ['a', '#narrow/in/home'],
    ['P', '#narrow/is/private'],
    ['*', '#narrow/is/starred'],
    ['w', '#people'],
  ] as const) {
    await page.locator('#main').focus()
    await page.keyboard.press(key)
    await eventually(async () => (await hashOf(page)) === hash)
  }
  await page.focus('.People-filter')
  await page.keyboard.type('d')
  assert.equal(await hashOf(page), '#people')
})

test('the open conversation is marked as read by Shift End', async () => {
  // A view with a linked message marks nothing as read before the first input.
  const { id } = await say('tulips')
  await page.evaluate(`location.hash = '#narrow/stream/${garden.stream_id}-garden/topic/tulips/near/${id}'`)
  await page.waitForSelector(`.Row[data-id="${id}"]`)
  await page.locator('.App-nav .NavRow', { hasText: 'tulips' }).locator('.Count').waitFor()
  await page.locator('#main').focus()
  await page.keyboard.press('Shift+End')
  await page
    .locator('.App-nav .NavRow', { hasText: 'tulips' })
    .locator('.Count')
    .waitFor({ state: 'detached' })
})

test('the jump dialog finds one of thousands of streams, and shows only the best rows', async () => {
  const count = bySize({ gate: 3_000, long: 10_000 })
  await world.database.query(
    `insert into stream (organization_id, name, folded_name, description, rendered_description, invite_only,
       history_public_to_subscribers, stream_post_policy)
     select $1, 'zone ' || n, 'zone ' || n, '', '', false, true, 1 from generate_series(1, $2::int) n`,
    [world.organization_id, count],
  )
  await page.reload()
  await page.waitForSelector('.App-nav')
  await openJump(page, `#zone ${count - 1}`)
  await row(page, `zone ${count - 1}`)
    .first()
    .waitFor()
  await page.fill('.Jump-field', '#zone')
  await eventually(async () => (await page.locator('.Jump-row').count()) > 10)
  assert.ok((await page.locator('.Jump-row').count()) < 60, 'only the best rows are shown')
  await close(page)
  await world.database.query(`delete from stream where organization_id = $1 and name like 'zone %'`, [
    world.organization_id,
  ])
})

test('no script, style or request of the dialog violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
