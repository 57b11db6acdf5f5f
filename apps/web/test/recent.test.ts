import assert from 'node:assert/strict'
import { after, test } from 'node:test'
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
const say = async (topic: string, by = otto) =>
  (await by.messages.send({ type: 'stream', to: garden.stream_id, topic, content: 'Pruned.' })).id
/** More than one page, so that scrolling loads older conversations. */
const oldCount = 120
for (let count = 1; count <= oldCount; count++) await say(`bed ${count}`)
await say('compost')
const { id: note } = await iris.messages.send({ type: 'private', to: [otto.user_id], content: 'Hello' })
await say('roses', fern)
const roses = await say('roses')
await iris.messages.changeFlags({ messages: [note], op: 'add', flag: 'read' })

const widths = [1280, 360] as const
const pages = new Map<number, Page>()
for (const width of widths)
  pages.set(width, await site.openAs(iris, '#recent', { viewport: { width, height: 700 } }))
const page = pages.get(1280) as Page

const names = (on: Page) => on.locator('.Recent-name').allTextContents()
const choice = (on: Page, text: string) => on.locator('.Recent-choice', { hasText: text })
const row = (on: Page, text: string) => on.locator('.FixedList-row', { hasText: text })
const leaveList = async (on: Page) => {
  await on.locator('.Recent-filter').focus()
  await on.mouse.move(0, 0)
}

for (const width of widths) {
  const on = pages.get(width) as Page

  test(`conversations are listed with senders, unread counts and times at ${width} px`, async () => {
    await row(on, 'roses').waitFor()
    assert.deepEqual((await names(on)).slice(0, 3), ['garden › roses', 'Otto Gardener', 'garden › compost'])
    const text = await row(on, 'roses').innerText()
    assert.match(text, /Last wrote: Otto Gardener and Fern Gardener/)
    assert.match(text, /2 unread messages/)
    assert.match(text, /\d\d?:\d\d/)
    for (const look of looksAt(width)) {
      await applyLook(on, looks[look])
      await takePicture(on, `recent-${look}-${width}`)
      assert.deepEqual(await findAccessProblems(on), [], look)
    }
    await applyLook(on, looks.light)
  })

  test(`filters and a typed name reduce the list at ${width} px`, async () => {
    await choice(on, 'Private').click()
    await eventually(async () => (await names(on)).join() === 'Otto Gardener')
    await choice(on, 'Unread').click()
    await on.locator('.Empty', { hasText: 'No conversation matches.' }).waitFor()
    assert.deepEqual(await findAccessProblems(on), [])
    await choice(on, 'Private').click()
    await on.fill('.Recent-filter', 'garden comp')
    await eventually(async () => (await names(on)).join() === 'garden › compost')
    await choice(on, 'Unread').click()
    await on.fill('.Recent-filter', '')
    await choice(on, 'Mine').click()
    await eventually(async () => (await names(on)).join() === 'Otto Gardener')
    await choice(on, 'Mine').click()
    await row(on, 'roses').waitFor()
  })

  test(`keys move through the list to the oldest conversation, and Enter opens it, at ${width} px`, async () => {
    await on.focus('.FixedList-row[tabindex="0"]')
    await on.keyboard.press('ArrowDown')
    await on.keyboard.press('ArrowUp')
    await eventually(async () => {
      await on.keyboard.press('End')
      return (await names(on)).includes('garden › bed 1')
    })
    await on.keyboard.press('Enter')
    await eventually(() => on.evaluate('/topic\\/bed/.test(location.hash)'))
    await on.goBack()
    await row(on, 'roses').waitFor()
  })
}

test('a click opens a conversation, and the button beside it marks it as read', async () => {
  await goTo(page, '#recent')
  await row(page, 'compost').locator('.IconButton').click()
  await eventually(async () => !/unread/.test(await row(page, 'compost').innerText()))
  await row(page, 'roses').locator('.Recent-name').click()
  await eventually(() => page.evaluate('/topic\\/roses/.test(location.hash)'))
  await goTo(page, '#recent')
})

test('a new message moves its conversation to the top, but not while the user is busy in the list', async () => {
  await page.clock.install()
  await leaveList(page)
  await say('compost', fern)
  await eventually(async () => (await names(page))[0] === 'garden › compost')
  // The user is busy for some seconds after the last input. With a stopped clock, this time does not end.
  await page.clock.pauseAt(Date.now() + 20_000)
  await page.focus('.FixedList-row[tabindex="0"]')
  await say('tulips')
  await page.locator('.Recent-moved', { hasText: '1 conversation has new messages.' }).waitFor()
  assert.equal((await names(page))[0], 'garden › compost')
  await page.clock.resume()
  await page.click('.Recent-moved button')
  await eventually(async () => (await names(page))[0] === 'garden › tulips')
  assert.equal(await page.locator('.Recent-moved button').count(), 0)
})

test('moved topics and deleted messages change the list', async () => {
  await leaveList(page)
  await world.owner.messages.edit({
    message_id: roses,
    topic: 'climbing roses',
    propagate_mode: 'change_all',
  })
  await row(page, 'climbing roses').waitFor()
  await eventually(async () => !(await names(page)).includes('garden › roses'))
  await world.owner.messages.remove({ message_id: await say('gone soon') })
  await eventually(async () => !(await names(page)).includes('garden › gone soon'))
})

test('muted conversations are listed only on request', async () => {
  await iris.subscriptions.muteTopic({ stream_id: garden.stream_id, topic: 'compost', op: 'add' })
  await eventually(async () => !(await names(page)).includes('garden › compost'))
  await choice(page, 'Muted').click()
  await row(page, 'compost').waitFor()
  await choice(page, 'Muted').click()
})

test('at midnight, messages of today become messages of yesterday in conversations and in the list', async () => {
  const id = await say('night', fern)
  await world.database.query("update message set sent_at = '2026-03-01T22:00:00Z' where id = $1", [id])
  const hash = `#narrow/stream/${garden.stream_id}-garden/topic/night`
  const open = async (hash: string, clock: string) => {
    const context = await site.newContext({ timezoneId: 'UTC' })
    await context.clock.install({ time: clock })
    await site.signInTo(context, otto)
    return site.openTab(context, hash)
  }
  const [topic, list] = [
    await open(hash, '2026-03-01T23:00:00Z'),
    await open('#recent', '2026-03-01T23:00:00Z'),
  ]
  const day = topic.locator('.DayLine', { hasText: 'Today' })
  const time = row(list, 'night').locator('.Recent-time', { hasText: '10:00' })
  await day.waitFor()
  await time.waitFor()
  for (const on of [topic, list]) await on.clock.fastForward('02:00:00')
  await topic.locator('.DayLine', { hasText: 'Yesterday' }).waitFor()
  await row(list, 'night').locator('.Recent-time', { hasText: 'Sun' }).waitFor()
  assert.equal(await topic.locator('.DayLine').count(), 1)
})

test('a list that cannot be loaded shows an error, and Try again loads it', async () => {
  const other = await site.openAs(fern, '#inbox')
  await other.route(/users\/me\/conversations/, (request) => request.abort())
  await goTo(other, '#recent')
  await other.locator('.Notice').waitFor()
  assert.deepEqual(await findAccessProblems(other), [])
  await other.unroute(/users\/me\/conversations/)
  await other.getByRole('button', { name: 'Try again' }).click()
  await row(other, 'climbing roses').waitFor()
  await other.context().close()
})

test('the view of recent conversations never violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
