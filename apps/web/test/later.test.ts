import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import {
  applyLook,
  findAccessProblems,
  looks,
  startClientSite,
  takePicture,
  windowsFor,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto', 'administrator')]
const garden = await world.stream('garden', { members: [iris, otto] })
const send = async (topic: string, content: string) => {
  const { id } = await otto.messages.send({ type: 'stream', to: garden.name, topic, content })
  return id
}
const first = await send('roses', 'Who prunes?')
const lines = Array.from({ length: 60 }, (_, line) => `Line ${line + 1}`).join('\n\n')
const essay = await send('roses', lines)
await send('roses', 'The end.')
await otto.messages.send({ type: 'private', to: [iris.user_id], content: 'Hello' })

const hashOf = (topic: string, more = '') => `#narrow/stream/${garden.stream_id}-garden/topic/${topic}${more}`
const page = await site.openAs(iris, hashOf('roses'), { viewport: { width: 1280, height: 800 } })
await page.waitForSelector('.Row')
const field = page.locator('.Composer .WritingField-text')
const open = (hash: string) => page.evaluate(`location.hash = '${hash}'`)
const menuItem = (text: string) => page.locator('[role=menu]:popover-open [role=menuitem]', { hasText: text })
const openMenu = () => page.click('.ViewFrame-actions button[aria-label="Conversation menu"]')

async function listScheduled() {
  const { scheduled_messages } = await iris.scheduledMessages.list()
  return scheduled_messages
}

test('a text is scheduled for a chosen time, and undo restores the draft', async () => {
  await field.fill('Frost tonight')
  await page.click('.Composer [aria-label="Send later"]')
  await page.locator('.TimeDialog-time', { hasText: 'Tomorrow morning' }).click()
  await eventually(async () => (await listScheduled()).length === 1)
  const [message] = await listScheduled()
  assert.equal(message?.content, 'Frost tonight')
  assert.equal(new Date((message?.scheduled_delivery_timestamp ?? 0) * 1000).getMinutes(), 0)
  await eventually(async () => (await field.inputValue()) === '')
  await page.click('.Undo-line button:has-text("Undo")')
  await eventually(async () => (await field.inputValue()) === 'Frost tonight')
  assert.deepEqual(await listScheduled(), [])
})

test('an empty text is not scheduled, and a time in the past is refused', async () => {
  await field.fill('')
  await page.click('.Composer [aria-label="Send later"]')
  await page.locator('.Composer-hint', { hasText: 'Write something first.' }).waitFor()
  await field.fill('Later')
  await page.click('.Composer [aria-label="Send later"]')
  await page.fill('.TimeDialog-other input', '2020-01-01T10:00')
  await page.keyboard.press('Enter')
  await page.locator('.Field-problem', { hasText: 'Choose a time in the future.' }).waitFor()
  await page.fill('.TimeDialog-other input', '2099-01-01T10:00')
  await page.keyboard.press('Enter')
  await eventually(async () => (await listScheduled()).length === 1)
})

test('a scheduled message is listed beside drafts, changed, and sent now', async () => {
  await open('#drafts')
  await page.click('.DraftTabs-tab:has-text("Scheduled")')
  const row = page.locator('.Scheduled-row', { hasText: 'Later' })
  await row.locator('[aria-label="Change text and time"]').click()
  await page.fill('.Scheduled-form textarea', 'Later, changed')
  await page.click('.Dialog button:has-text("Save")')
  await page.locator('.Scheduled-row', { hasText: 'Later, changed' }).waitFor()
  await page.click('.Scheduled-row button:has-text("Send now")')
  await page.locator('.Empty', { hasText: 'Nothing is scheduled.' }).waitFor()
  await open(hashOf('roses'))
  await page.locator('.Row[data-id]', { hasText: 'Later, changed' }).waitFor()
  assert.deepEqual(await listScheduled(), [])
})

test('a reminder of a message is set from its menu, in streams and private conversations', async () => {
  for (const [hash, text] of [
    [hashOf('roses'), 'The end.'],
    [`#narrow/pm-with/${otto.user_id}-Otto`, 'Hello'],
  ] as const) {
    await open(hash)
    const row = page.locator('.Row[data-id]', { hasText: text })
    await row.hover()
    await row.locator('button[aria-label="More actions"]').click()
    await menuItem('Remind me').click()
    await page.locator('.TimeDialog-time', { hasText: 'In an hour' }).click()
    await page.waitForSelector('.Undo-line')
  }
  await eventually(async () => (await listScheduled()).length === 2)
  const reminders = await listScheduled()
  assert.ok(reminders.every(({ delivery_type }) => delivery_type === 'remind'))
  assert.ok(reminders.some(({ content }) => content.includes('The end.')))
  await open('#scheduled')
  await page.locator('.Scheduled-row [aria-label=Delete]').first().click()
  await page.locator('.Scheduled-row [aria-label=Delete]').click()
  await eventually(async () => (await listScheduled()).length === 0)
})

test('a long message is collapsed, and expanding or collapsing it does not move its beginning', async () => {
  for (let count = 0; count < 20; count++) await send('essays', 'Short.')
  const long = await send('essays', lines)
  await open(hashOf('essays', `/near/${long}`))
  const row = page.locator(`.Row[data-id="${long}"]`)
  await row.locator('.FoldedBody[data-folded]').waitFor()
  const measure = async () => {
    const box = await row.boundingBox()
    return { top: Math.round(box?.y ?? 0), height: box?.height ?? 0 }
  }
  const folded = await measure()
  await row.locator('.FoldedBody-button', { hasText: 'Show more' }).focus()
  await page.keyboard.press('Enter')
  await eventually(async () => (await measure()).height > folded.height * 2)
  assert.ok(Math.abs((await measure()).top - folded.top) <= 1)
  await page.keyboard.press('Enter')
  await eventually(async () => (await measure()).height === folded.height)
  assert.ok(Math.abs((await measure()).top - folded.top) <= 1)
})

test('the key M mutes and unmutes a topic of a muted stream', async () => {
  const { stream_id } = garden
  const setStreamMuted = (value: boolean) =>
    iris.subscriptions.setProperties({ subscription_data: [{ stream_id, property: 'is_muted', value }] })
  const countMuted = async () =>
    (await iris.events.register({ fetch_event_types: ['muted_topics'] })).muted_topics?.length
  await setStreamMuted(true)
  await page.waitForSelector('.NavRow-muted:has-text("garden")')
  await open(hashOf('roses'))
  for (const count of [1, 0]) {
    await page.locator('.Row-message').last().focus()
    await page.keyboard.press('Shift+M')
    await eventually(async () => (await countMuted()) === count)
    // Events arrive in order, so the page then knows whether the topic is muted.
    const next = await send('roses', `Sent while ${count} topics are muted`)
    await page.waitForSelector(`.Row[data-id="${next}"]`)
  }
  await setStreamMuted(false)
  await page.waitForSelector('.NavRow-muted:has-text("garden")', { state: 'detached' })
})

test('the menu of a topic mutes it, marks it as read and opens it at a date', async () => {
  await open(hashOf('roses'))
  await openMenu()
  await menuItem('Mute the topic').click()
  await page.waitForSelector('.Undo-line')
  await openMenu()
  await menuItem('Unmute the topic').click()
  await page.locator('.Row-message').last().focus()
  await page.keyboard.press('Shift+U')
  await openMenu()
  await menuItem('Mark as read').click()
  await page.locator('.Undo-line', { hasText: 'marked as read' }).waitFor()
  await eventually(async () => !(await page.locator('.App-nav .NavRow[aria-current] .Count').count()))
  await world.database.query("update message set sent_at = '2026-03-01T10:00:00Z' where id = $1", [first])
  await openMenu()
  await menuItem('Go to a date').click()
  // The field has the focus, so that the date can be typed at once.
  await page.waitForSelector('.Dialog input[type=date]:focus')
  await page.fill('.Dialog input[type=date]', '2026-02-28')
  await page.click('.Dialog button:has-text("Go")')
  await eventually(() => page.evaluate(`location.hash.endsWith('/near/${first}')`))
  await page.locator(`.Row[data-id="${first}"][data-marked]`).waitFor()
})

test('a link with a date opens at the first message of that day or later', async () => {
  await open(hashOf('roses', '/date/2026-03-02'))
  await eventually(() => page.evaluate(`location.hash.endsWith('/near/${essay}')`))
})

test('a link to a moved message opens its new conversation with a notice', async () => {
  const moved = await send('roses', 'About tulips.')
  await otto.messages.edit({ message_id: moved, topic: 'tulips', send_notification_to_old_thread: false })
  await open(hashOf('roses', `/near/${moved}`))
  await page
    .locator('.ListTrouble', { hasText: 'This message was moved here from garden › roses.' })
    .waitFor()
  assert.match(await page.evaluate<string>('location.hash'), /topic\/tulips\/near\//)
  await page.locator(`.Row[data-id="${moved}"]`).waitFor()
})

test('a link to a deleted message shows that the message no longer exists', async () => {
  const deleted = await send('roses', 'A mistake.')
  await otto.messages.remove({ message_id: deleted })
  await open(hashOf('roses', `/near/${deleted}`))
  await page.locator('.ListTrouble', { hasText: 'was deleted, or you may not see it' }).waitFor()
  await page.locator('.Row').first().waitFor()
})

for (const name of ['light', 'dark'] as const)
  test(`scheduled messages and dialogs are accessible: ${name}`, async () => {
    await applyLook(page, looks[name])
    if ((await listScheduled()).length === 0)
      await iris.scheduledMessages.create({
        type: 'stream',
        to: garden.stream_id,
        topic: 'roses',
        content: 'Frost',
        scheduled_delivery_timestamp: Math.round(Date.now() / 1000) + 86_400,
      })
    for (const { width, height } of windowsFor(name)) {
      await page.setViewportSize({ width, height })
      await open('#scheduled')
      await page.waitForSelector('.Scheduled-row')
      await takePicture(page, `scheduled-${name}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `list ${width}`)
      await open(hashOf('roses'))
      await openMenu()
      await menuItem('Go to a date').waitFor()
      await takePicture(page, `conversation-menu-${name}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `menu ${width}`)
      await page.keyboard.press('Escape')
      await field.fill('Soon')
      await page.click('.Composer [aria-label="Send later"]')
      await page.waitForSelector('.TimeDialog-time')
      await takePicture(page, `send-later-${name}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `time ${width}`)
      await page.keyboard.press('Escape')
      await page.waitForSelector('.Dialog', { state: 'detached' })
    }
  })

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
