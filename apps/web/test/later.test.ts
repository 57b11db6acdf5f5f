import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import type { Route } from 'playwright-core'
import {
  applyLook,
  dragOut,
  findAccessProblems,
  looks,
  startClientSite,
  takePicture,
  waitForLayout,
  windowsFor,
} from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto, fern] = [
  await world.person('iris'),
  await world.person('otto', 'administrator'),
  await world.person('fern'),
]
const garden = await world.stream('garden', { members: [iris, otto, fern] })
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

/** The undo button of the newest line. A line does not disappear while the pointer is on it. */
const undo = page.locator('.Undo-line').last().getByRole('button', { name: 'Undo' })

test('a text is scheduled for a chosen time, and undo restores the draft', async () => {
  await field.fill('Frost tonight')
  await page.click('.Composer [aria-label="Send later"]')
  await page.locator('.TimeDialog-time', { hasText: 'Tomorrow morning' }).click()
  await undo.hover()
  await eventually(async () => (await listScheduled()).length === 1)
  const [message] = await listScheduled()
  assert.equal(message?.content, 'Frost tonight')
  assert.equal(new Date((message?.scheduled_delivery_timestamp ?? 0) * 1000).getMinutes(), 0)
  await eventually(async () => (await field.inputValue()) === '')
  await undo.click()
  await eventually(async () => (await field.inputValue()) === 'Frost tonight')
  assert.deepEqual(await listScheduled(), [])
})

const chooseTime = async () => {
  await page.click('.Composer [aria-label="Send later"]')
  await page.locator('.TimeDialog-time', { hasText: 'Tomorrow morning' }).click()
}

async function removeScheduled(): Promise<void> {
  for (const { scheduled_message_id } of await listScheduled())
    await iris.scheduledMessages.remove({ scheduled_message_id })
  await field.fill('')
}

test('a text that is changed while it is scheduled stays in the field, and undo does not repeat it', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  await page.route('**/api/v1/scheduled_messages', hold, { times: 1 })
  await field.fill('Frost tonight')
  await chooseTime()
  const request = await held
  await field.focus()
  await page.keyboard.press('End')
  await page.keyboard.type(' and more')
  await request.continue()
  await undo.hover()
  assert.equal(await field.inputValue(), 'Frost tonight and more')
  const undone = page.waitForResponse(
    (response) => response.request().method() === 'DELETE' && response.url().includes('/scheduled_messages/'),
  )
  await undo.click()
  await (await undone).finished()
  await waitForLayout(page)
  assert.deepEqual(await listScheduled(), [])
  await page.waitForSelector('.Undo-line', { state: 'detached' })
  assert.equal(await field.inputValue(), 'Frost tonight and more')
  await field.fill('')
})

test('undoing a scheduled message keeps the text that was begun since then', async () => {
  await field.fill('Frost tonight')
  await chooseTime()
  await eventually(async () => (await field.inputValue()) === '')
  await undo.hover()
  await field.fill('Frost')
  await undo.click()
  await eventually(async () => (await field.inputValue()) === 'Frost tonight\n\nFrost')
  await removeScheduled()
})

/** Passes the next request to the server, and breaks the connection before its answer, also when it is repeated. */
async function loseAnswer(method: string): Promise<void> {
  let losses = 0
  await page.route('**/api/v1/scheduled_messages**', async (route) => {
    if (route.request().method() !== method || losses === 2) return route.continue()
    losses++
    await route.fetch()
    await route.abort()
  })
}

test('undoing a scheduled message restores its text if the answer of the server is lost', async () => {
  await field.fill('Frost tonight')
  await chooseTime()
  await eventually(async () => (await field.inputValue()) === '')
  await undo.hover()
  await loseAnswer('DELETE')
  await undo.click()
  await eventually(async () => (await field.inputValue()) === 'Frost tonight')
  await page.unroute('**/api/v1/scheduled_messages**')
  assert.deepEqual(await listScheduled(), [])
  await field.fill('')
})

test('a message that is scheduled again after its answer was lost is scheduled once', async () => {
  await field.fill('Frost tonight')
  await loseAnswer('POST')
  await chooseTime()
  await page.click('.RefusedAction [aria-label=Close]')
  assert.equal(await field.inputValue(), 'Frost tonight')
  assert.equal((await listScheduled()).length, 1)
  await page.unroute('**/api/v1/scheduled_messages**')
  // The event of the first request has arrived before that of this message.
  const id = await send('roses', 'Is it cold?')
  await page.waitForSelector(`.Row[data-id="${id}"]`)
  await chooseTime()
  await eventually(async () => (await field.inputValue()) === '')
  assert.equal((await listScheduled()).length, 1)
  await removeScheduled()
})

test('undoing a scheduled message keeps its text apart from a text for another topic', async () => {
  const topic = page.locator('.Composer .TopicField-input')
  await open(`#narrow/stream/${garden.stream_id}-garden`)
  await topic.fill('frost')
  await field.fill('Frost tonight')
  await chooseTime()
  await eventually(async () => (await field.inputValue()) === '')
  await undo.hover()
  await topic.fill('picnic')
  await field.fill('Cake?')
  await undo.click()
  await eventually(async () => (await listScheduled()).length === 0)
  await open(hashOf('frost'))
  await page.waitForSelector('.Composer[aria-label*=frost]')
  await eventually(async () => (await field.inputValue()) === 'Frost tonight')
  await field.fill('')
  await open(`#narrow/stream/${garden.stream_id}-garden`)
  await topic.waitFor()
  assert.equal(await field.inputValue(), 'Cake?')
  await field.fill('')
  await topic.fill('')
  await open(hashOf('roses'))
  await page.waitForSelector('.Composer[aria-label*=roses]')
})

const gloves = { name: 'gloves.txt', mimeType: 'text/plain', buffer: Buffer.from('Bring gloves.') }
const uploadPath = '**/api/v1/user_uploads'

test('a message is scheduled after its files were uploaded, and contains them', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  await page.route(uploadPath, hold, { times: 1 })
  await page.setInputFiles('.Composer input[type=file]', gloves)
  const upload = await held
  await chooseTime()
  await page.getByRole('button', { name: 'Do not send when uploaded' }).waitFor()
  assert.deepEqual(await listScheduled(), [])
  await upload.continue()
  await eventually(async () => (await listScheduled()).length === 1)
  const [message] = await listScheduled()
  assert.match(message?.content ?? '', /^\[gloves\.txt\]\(\/user_uploads\//)
  await page.waitForSelector('.UploadTiles', { state: 'detached' })
  await removeScheduled()
})

test('a message that waits for its files is not sent if the upload of one fails', async () => {
  const { promise: held, resolve: hold } = Promise.withResolvers<Route>()
  // The client repeats a request once if its connection breaks.
  await page.route(uploadPath, (route) => route.abort(), { times: 1 })
  await page.route(uploadPath, hold, { times: 1 })
  await field.fill('See the list.')
  await page.setInputFiles('.Composer input[type=file]', gloves)
  const upload = await held
  await page.click('.Composer button:has-text("Send")')
  await page.getByRole('button', { name: 'Do not send when uploaded' }).waitFor()
  await upload.abort()
  await page.locator('.Composer-hint', { hasText: 'a file was not uploaded' }).waitFor()
  assert.equal(await field.inputValue(), 'See the list.')
  await page.click('.UploadTiles [aria-label="Remove gloves.txt"]')
  await field.fill('')
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
  await eventually(async () => (await field.inputValue()) === '')
})

test('a dialog stays open when a selection ends outside of it, and closes on a click outside', async () => {
  await field.fill('Later')
  await page.click('.Composer [aria-label="Send later"]')
  await dragOut(page, '.TimeDialog-other input')
  assert.equal(await page.locator('.Dialog').count(), 1)
  await page.mouse.click(2, 2)
  await page.waitForSelector('.Dialog', { state: 'detached' })
  await field.fill('')
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

test('a scheduled message that is sent now is sent once if the answer of the server is lost', async () => {
  await iris.scheduledMessages.create({
    type: 'stream',
    to: garden.stream_id,
    topic: 'roses',
    content: 'Cover the roses',
    scheduled_delivery_timestamp: Math.round(Date.now() / 1000) + 86_400,
  })
  await open('#scheduled')
  const row = page.locator('.Scheduled-row', { hasText: 'Cover the roses' })
  await loseAnswer('DELETE')
  await row.locator('button:has-text("Send now")').click()
  await row.waitFor({ state: 'detached' })
  await open(hashOf('roses'))
  await page.locator('.Row[data-id]', { hasText: 'Cover the roses' }).waitFor()
  await page.unroute('**/api/v1/scheduled_messages**')
  assert.equal(await page.locator('.Row', { hasText: 'Cover the roses' }).count(), 1)
  assert.deepEqual(await listScheduled(), [])
})

test('a text that is changed while its scheduled message is sent stays in the dialog', async () => {
  const { scheduled_message_id } = await iris.scheduledMessages.create({
    type: 'stream',
    to: garden.stream_id,
    topic: 'roses',
    content: 'Watered',
    scheduled_delivery_timestamp: Math.round(Date.now() / 1000) + 86_400,
  })
  await open('#scheduled')
  await page.click('.Scheduled-row [aria-label="Change text and time"]')
  await page.fill('.Scheduled-form textarea', 'Watered twice')
  await iris.scheduledMessages.remove({ scheduled_message_id })
  await page.waitForSelector('.Scheduled-row', { state: 'detached' })
  assert.equal(await page.inputValue('.Scheduled-form textarea'), 'Watered twice')
  await page.click('.Dialog button:has-text("Save")')
  await page.locator('.Scheduled-form .Field-problem').waitFor()
  assert.equal(await page.inputValue('.Scheduled-form textarea'), 'Watered twice')
  await page.click('.Dialog button:has-text("Cancel")')
  await page.waitForSelector('.Dialog', { state: 'detached' })
})

test('a problem with the text or the time of a scheduled message is shown below its field', async () => {
  await iris.scheduledMessages.create({
    type: 'stream',
    to: garden.stream_id,
    topic: 'roses',
    content: 'Watered',
    scheduled_delivery_timestamp: Math.round(Date.now() / 1000) + 86_400,
  })
  await open('#scheduled')
  const row = page.locator('.Scheduled-row', { hasText: 'Watered' })
  const problemOf = (label: string) =>
    page.locator('.Scheduled-form .Field', { hasText: label }).locator('.Field-problem')
  const save = () => page.click('.Dialog button:has-text("Save")')
  await row.locator('[aria-label="Change text and time"]').click()
  await page.fill('.Scheduled-form input', '2020-01-01T10:00')
  await save()
  await problemOf('Time').filter({ hasText: 'Choose a time in the future.' }).waitFor()
  await page.fill('.Scheduled-form input', '2099-01-01T10:00')
  await page.fill('.Scheduled-form textarea', '')
  await save()
  await problemOf('Text').filter({ hasText: 'must not be empty' }).waitFor()
  assert.equal(await problemOf('Time').count(), 0)
  await page.click('.Dialog button:has-text("Cancel")')
  await row.locator('[aria-label=Delete]').click()
  await eventually(async () => (await listScheduled()).length === 0)
})

test('a draft of another day is listed with its day', async () => {
  const context = await site.newContext({ timezoneId: 'UTC' })
  await context.clock.install({ time: '2026-03-01T10:00:00Z' })
  await site.signInTo(context, otto)
  const other = await site.openTab(context, hashOf('roses'))
  await other.locator('.Composer .WritingField-text').fill('Begun on Sunday')
  await other.evaluate("location.hash = '#drafts'")
  const time = other.locator('.Drafts-draft', { hasText: 'Begun on Sunday' }).locator('.Drafts-time')
  await time.filter({ hasText: '10:0' }).waitFor()
  await other.clock.fastForward('24:00:00')
  await time.filter({ hasText: 'Sun' }).waitFor()
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
  const listed = page.locator('.Scheduled-row', { hasText: 'The end.' })
  assert.match(await listed.innerText(), /@?Otto Gardener said: The end\./)
  await listed.locator('.Drafts-link').click()
  await page.locator('.Row[data-marked]', { hasText: 'The end.' }).waitFor()
  await open('#scheduled')
  await page.locator('.Scheduled-row [aria-label=Delete]').first().click()
  await page.locator('.Scheduled-row [aria-label=Delete]').click()
  await eventually(async () => (await listScheduled()).length === 0)
})

test('times are typed, suggested and shown in the time zone of the account, not of the device', async () => {
  await fern.settings.updateDisplay({ timezone: 'Asia/Tokyo', twenty_four_hour_time: true })
  const away = await site.openAs(fern, hashOf('roses'), { timezoneId: 'Europe/London' })
  const text = away.locator('.Composer .WritingField-text')
  const listOwn = async () => (await fern.scheduledMessages.list()).scheduled_messages
  const timeOf = async () => (await listOwn())[0]?.scheduled_delivery_timestamp

  await text.fill('Good morning')
  await away.click('.Composer [aria-label="Send later"]')
  await away.locator('.TimeDialog-time', { hasText: 'Tomorrow morning' }).getByText('09:00').waitFor()
  await away.locator('.Field-hint', { hasText: 'Asia/Tokyo' }).waitFor()
  assert.match(await away.inputValue('.TimeDialog-other input'), /T09:00$/)
  await away.fill('.TimeDialog-other input', '2099-01-01T10:00')
  await away.keyboard.press('Enter')
  await away.locator('.Undo-line', { hasText: '10:00' }).waitFor()
  assert.equal(await timeOf(), Date.parse('2099-01-01T10:00+09:00') / 1000)

  await away.evaluate("location.hash = '#scheduled'")
  await away.locator('.Scheduled-time', { hasText: '10:00' }).waitFor()
  const edit = async (changes: () => Promise<void>) => {
    await away.click('.Scheduled-row [aria-label="Change text and time"]')
    await changes()
    await away.click('.Dialog button:has-text("Save")')
    await away.waitForSelector('.Dialog', { state: 'detached' })
  }
  const timeField = away.locator('.Scheduled-form input')
  await edit(async () => assert.equal(await timeField.inputValue(), '2099-01-01T10:00'))
  await edit(() => timeField.fill('2099-01-01T11:30'))
  await away.locator('.Scheduled-time', { hasText: '11:30' }).waitFor()
  assert.equal(await timeOf(), Date.parse('2099-01-01T11:30+09:00') / 1000)

  await away.evaluate(`location.hash = '${hashOf('roses')}'`)
  await text.fill('')
  await text.pressSequentially('<time:2099-01-01 10:00')
  await away.locator('.Typeahead [role=option]', { hasText: '10:00' }).click()
  await eventually(async () => (await text.inputValue()).startsWith('<time:2099-01-01T10:00:00+09:00>'))
  await text.fill('')
  await away.evaluate("location.hash = '#settings/display'")
  await away.getByText('Half past four in the afternoon is written 16:30.').waitFor()
})

test('a change of only the text of a scheduled message keeps the seconds of its time', async () => {
  const time = Math.round(Date.now() / 60_000) * 60 + 86_430
  await iris.scheduledMessages.create({
    type: 'stream',
    to: garden.stream_id,
    topic: 'roses',
    content: 'Due to the second',
    scheduled_delivery_timestamp: time,
  })
  await open('#scheduled')
  const row = page.locator('.Scheduled-row', { hasText: 'to the second' })
  await row.locator('[aria-label="Change text and time"]').click()
  await page.fill('.Scheduled-form textarea', 'Still to the second')
  await page.click('.Dialog button:has-text("Save")')
  await row.filter({ hasText: 'Still' }).waitFor()
  const findMessage = async () =>
    (await listScheduled()).find(({ content }) => content === 'Still to the second')
  assert.equal((await findMessage())?.scheduled_delivery_timestamp, time)
  await row.locator('[aria-label=Delete]').click()
  await eventually(async () => !(await findMessage()))
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

test('the key M unmutes a topic of a muted stream, and mutes it again', async () => {
  const { stream_id } = garden
  const setStreamMuted = (value: boolean) =>
    iris.subscriptions.setProperties({ subscription_data: [{ stream_id, property: 'is_muted', value }] })
  const countUnmuted = async () =>
    (await iris.events.register({ fetch_event_types: ['user_topic'] })).user_topics?.length
  await setStreamMuted(true)
  await page.waitForSelector('.NavRow-muted:has-text("garden")')
  await open(hashOf('roses'))
  for (const count of [1, 0]) {
    await page.locator('.Row-message').last().focus()
    await page.keyboard.press('Shift+M')
    await eventually(async () => (await countUnmuted()) === count)
    // Events arrive in order, so the page then knows whether the topic is unmuted.
    const next = await send('roses', `Sent while ${count} topics are unmuted`)
    await page.waitForSelector(`.Row[data-id="${next}"]`)
  }
  await setStreamMuted(false)
  await page.waitForSelector('.NavRow-muted:has-text("garden")', { state: 'detached' })
})

test('the key M pressed twice in a moment mutes the topic and unmutes it, in this order', async () => {
  const requested: (string | null)[] = []
  const released = Promise.withResolvers<void>()
  const path = '**/user_topics'
  await page.route(path, async (route) => {
    requested.push(new URLSearchParams(route.request().postData() ?? '').get('visibility_policy'))
    if (requested.length === 1) await released.promise
    await route.continue()
  })
  await open(hashOf('roses'))
  await page.locator('.Row-message').last().focus()
  await page.keyboard.press('Shift+M')
  await page.keyboard.press('Shift+M')
  await eventually(() => requested.length === 1)
  released.resolve()
  await eventually(() => requested.length === 2)
  assert.deepEqual(requested, ['1', '0'])
  await eventually(async () => {
    const { muted_topics } = await iris.events.register({ fetch_event_types: ['muted_topics'] })
    return muted_topics?.length === 0
  })
  assert.equal(await page.locator('.RefusedAction-line').count(), 0)
  await page.unroute(path)
})

test('a line with an undo button does not cover the composer', async () => {
  const size = page.viewportSize() ?? { width: 1280, height: 800 }
  await open(hashOf('roses'))
  await page.locator('.Row-message').last().focus()
  await page.keyboard.press('Shift+M')
  await undo.hover()
  await field.fill('Soon')
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 700 })
    await undo.hover()
    // The client lays out its panes anew after the change of the width.
    await eventually(
      async () =>
        (await page.evaluate(
          `document.querySelector('.Undo-line').getBoundingClientRect().bottom <=
            document.querySelector('.Composer').getBoundingClientRect().top`,
        )) === true,
    )
    await takePicture(page, `undo-${width}`)
  }
  await page.setViewportSize(size)
  await undo.click()
  await field.fill('')
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

test('a topic of a stream that the user is not in is muted and unmuted from the menu of a message', async () => {
  const pond = await world.stream('pond', { members: [otto] })
  await otto.messages.send({ type: 'stream', to: pond.name, topic: 'frogs', content: 'They are back.' })
  await open(`#narrow/stream/${pond.stream_id}-pond/topic/frogs`)
  const openMessageMenu = async () => {
    await page.locator('.Row[data-id]', { hasText: 'They are back.' }).hover()
    await page.click('.Toolbar [aria-haspopup=menu]')
  }
  await openMessageMenu()
  await menuItem('Mute the topic').click()
  await page.locator('.Undo-line', { hasText: 'frogs' }).waitFor()
  await openMessageMenu()
  await menuItem('Unmute the topic').click()
  await openMessageMenu()
  await menuItem('Mute the topic').waitFor()
  await page.keyboard.press('Escape')
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
      const [form, typed] = [page.locator('.TimeDialog-other'), page.locator('.TimeDialog-other input')]
      const share = ((await typed.boundingBox())?.width ?? 0) / ((await form.boundingBox())?.width ?? 1)
      // On phones, the field needs the whole width to show the date and the time.
      assert.ok(width > 400 || share > 0.95, `${share} at ${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `time ${width}`)
      await page.keyboard.press('Escape')
      await page.waitForSelector('.Dialog', { state: 'detached' })
    }
  })

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
