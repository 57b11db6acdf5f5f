import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { xssVectors } from '@oxbow/markdown/attacks'
import { eventually } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
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
const [iris, otto, fern, gus] = [
  await world.person('iris'),
  await world.person('otto'),
  await world.person('fern'),
  await world.person('gus', 'guest'),
]
const herald = await world.bot('herald', otto)
const garden = await world.stream('garden', { members: [iris, otto, fern, gus] })
const send = (content: string, sender = otto) =>
  sender.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
await send('Who prunes? @**Iris Gardener**')
await send('Not today.', fern)
await herald.messages.send({ type: 'private', to: [iris.user_id], content: 'Frost is near.' })
await otto.messages.send({ type: 'private', to: [iris.user_id], content: 'Hello' })
const reportIdle = () => fern.presence.report({ status: 'idle', ping_only: true })
await reportIdle()
// The client shows a person as offline some two minutes after the last report.
const reporting = setInterval(() => void reportIdle().catch(() => {}), 30_000)
after(() => clearInterval(reporting))

const topicHash = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const privateHash = `#narrow/pm-with/${otto.user_id}-Otto-Gardener`
const wide = { viewport: { width: 1280, height: 800 } }
const page = await site.openAs(iris, topicHash, wide)
await page.waitForSelector('.Row')
const card = page.locator('.PersonCard:popover-open')

const open = (hash: string, shown: Page = page) => shown.evaluate(`location.hash = '${hash}'`)

test('names of people outside the conversation are shown and updated', async () => {
  const row = page.locator('.App-nav .NavRow', { hasText: 'Otto Gardener' })
  await row.waitFor()
  await world.owner.users.update({ user_id: otto.user_id, full_name: 'Otto Green' })
  await page.locator('.App-nav .NavRow', { hasText: 'Otto Green' }).waitFor()
  await page.locator('.RowHead-name', { hasText: 'Otto Green' }).waitFor()
  await world.owner.users.update({ user_id: otto.user_id, full_name: 'Otto Gardener' })
  await row.waitFor()
})

test('the side pane lists people of topic and stream with their presence, and stays open after a reload', async () => {
  assert.equal(await page.locator('.App-side').count(), 0)
  await page.click('.ViewFrame-actions [aria-label="Show details"]')
  const person = (name: string) => page.locator('.ConversationSide-person', { hasText: name })
  await person('Fern Gardener').locator('.PresenceDot[data-state=idle]').waitFor()
  await person('Otto Gardener').locator('.PresenceDot[data-state=offline]').waitFor()
  await page.locator('.ConversationSide-members .FixedList-row').nth(3).waitFor()
  assert.match(await page.innerText('.ConversationSide-stream h2'), /4$/)
  await page.reload()
  await person('Fern Gardener').locator('.PresenceDot').waitFor()
  await page.keyboard.press('Control+Shift+Backslash')
  await page.waitForSelector('.App-side', { state: 'detached' })
  await page.keyboard.press('Control+Shift+Backslash')
  await page.waitForSelector('.App-side')
})

test('a person who opens the client is soon shown as active to others', async () => {
  const dot = page.locator('.App-nav .NavRow', { hasText: 'Otto Gardener' }).locator('.PresenceDot')
  await eventually(async () => (await dot.getAttribute('data-state')) === 'offline')
  const other = await site.openAs(otto)
  await eventually(async () => (await dot.getAttribute('data-state')) === 'active')
  assert.equal(await dot.innerText(), 'Active now')
  await other.context().close()
})

test('no presence is reported for a person who disabled it', async () => {
  await gus.settings.updateNotifications({ presence_enabled: false })
  const requests: string[] = []
  const other = await site.openAs(gus)
  other.on('request', (request) => requests.push(request.url()))
  await other.reload()
  await other.waitForSelector('.App')
  await open('#people', other)
  await other.waitForSelector('.FixedList-row .PresenceDot')
  assert.deepEqual(
    requests.filter((url) => url.includes('/users/me/presence')),
    [],
  )
  const { presences } = await iris.presence.listOf({ user_ids: [gus.user_id] })
  assert.deepEqual(presences, {})
  await other.context().close()
})

test('a click on a name, a mention or a picture opens the card of the person', async () => {
  const head = page.locator('.RowHead', { hasText: 'Fern' })
  for (const opener of [head.locator('.RowHead-name'), head.locator('.Avatar')]) {
    await opener.click()
    await card.locator('h2:has-text("Fern Gardener")').waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
  }
  await page.click('.Body .user-mention')
  await card.locator('h2:has-text("Iris Gardener")').waitFor()
  await page.keyboard.press('Escape')
  await card.waitFor({ state: 'detached' })
})

test('the card shows role, presence, status and time, and can be used by keyboard alone', async () => {
  await fern.userStatus.set({ status_text: 'in the beds' })
  await page.locator('.Row-message').last().focus()
  await page.keyboard.press('u')
  await card.locator('.PersonFacts-status', { hasText: 'in the beds' }).waitFor()
  await card.locator('.PersonFacts-presence', { hasText: 'Idle' }).waitFor()
  const text = await card.innerText()
  for (const words of [/Fern Gardener/, /Member/, /Idle/, /Write/, /All messages/, /Profile/])
    assert.match(text, words)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'Write')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const field = page.locator('.Composer .WritingField-text')
  await eventually(async () => (await field.inputValue()) === '@**Fern Gardener** ')
  await eventually(() => page.evaluate("document.activeElement.matches('.WritingField-text')"))
  await field.fill('')
})

test('the card of a bot names its owner, and the card of a deactivated account offers no writing', async () => {
  await open(`#people/${herald.user_id}`)
  await page.locator('.PersonFacts', { hasText: 'Bot of Otto Gardener' }).waitFor()
  const nora = await world.person('nora')
  await world.owner.users.deactivate({ user_id: nora.user_id })
  await open(`#people/${nora.user_id}`)
  await page.locator('.PersonFacts', { hasText: 'This account is deactivated.' }).waitFor()
  assert.equal(await page.locator('.Profile-actions :text("Write")').count(), 0)
})

test('the list of people is filtered by name, and Enter opens a profile', async () => {
  await open('#people')
  await page.waitForSelector('.FixedList-row')
  assert.equal(await page.locator('.FixedList-row', { hasText: 'Nora' }).count(), 0)
  await page.fill('.People-filter', 'fern')
  await eventually(async () => (await page.locator('.FixedList-row').count()) === 1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.locator('.Profile', { hasText: 'in the beds' }).waitFor()
  await open('#people')
  await page.fill('.People-filter', 'zzz')
  await page.locator('.Empty', { hasText: 'Nobody has this name.' }).waitFor()
})

test('typing is shown to the other person without moving the page, until the message is sent', async () => {
  await open(privateHash)
  await page.waitForSelector('.TypingLine')
  const other = await site.openAs(otto, `#narrow/pm-with/${iris.user_id}-Iris-Gardener`)
  const line = page.locator('.TypingLine')
  await page.evaluate(`{
    globalThis.shift = 0
    new PerformanceObserver((list) => { for (const entry of list.getEntries()) shift += entry.value })
      .observe({ type: 'layout-shift' })
  }`)
  const height = (await line.boundingBox())?.height
  const field = other.locator('.Composer .WritingField-text')
  await field.focus()
  await other.keyboard.type('On my')
  await line.filter({ hasText: 'Otto Gardener is typing…' }).waitFor()
  assert.equal((await line.boundingBox())?.height, height)
  await field.fill('')
  await eventually(async () => (await line.innerText()) === '')
  assert.equal(await page.evaluate('shift'), 0)
  await other.keyboard.type('On my way')
  await line.filter({ hasText: 'is typing…' }).waitFor()
  await other.keyboard.press('Control+Enter')
  await page.locator('.Row', { hasText: 'On my way' }).waitFor()
  await eventually(async () => (await line.innerText()) === '')
  await other.context().close()
})

test('a tab that shows people makes at most ten requests in a quiet minute', async (t) => {
  const other = await site.openAs(otto, topicHash, wide)
  await other.clock.install()
  await other.reload()
  await other.click('.ViewFrame-actions [aria-label="Show details"]')
  await other.waitForSelector('.ConversationSide-members .PresenceDot')
  const requests: string[] = []
  other.on('request', (request) => {
    if (/\/api\/v1\/(?!events)/.test(request.url())) requests.push(request.url())
  })
  await other.clock.runFor(60_000)
  await eventually(() => requests.some((url) => url.includes('/users/me/presence')))
  await eventually(() => requests.some((url) => url.includes('/users/presence')))
  t.diagnostic(`${requests.length} requests`)
  assert.ok(requests.length <= 10, requests.join('\n'))
  await other.context().close()
})

const mutedByIris = async () =>
  (await iris.events.register({ fetch_event_types: ['muted_users'] })).muted_users ?? []

test("a muted person's messages are collapsed, can be shown one by one, and muting can be undone", async () => {
  await open(topicHash)
  const body = page.locator('.Row', { hasText: 'Not today.' })
  await body.locator('.RowHead-name').click()
  await card.locator('button', { hasText: 'Mute' }).click()
  await page.waitForSelector('.MutedMessage')
  assert.equal(await body.count(), 0)
  await eventually(async () => (await mutedByIris()).length === 1)
  await page.reload()
  await page.click('.MutedMessage-show')
  await body.waitFor()
  await body.locator('.RowHead-name').click()
  await card.locator('button', { hasText: 'Unmute' }).click()
  await eventually(async () => (await mutedByIris()).length === 0)
  await page.reload()
  await body.waitFor()
  assert.equal(await page.locator('.MutedMessage').count(), 0)
})

test('on phones the side pane and the card are sheets', async () => {
  await page.setViewportSize({ width: 360, height: 640 })
  await open(topicHash)
  await page.waitForSelector('.ConversationSide', { state: 'detached' })
  await page.click('.ViewFrame-actions [aria-label="Show details"]')
  await page.waitForSelector('.Sheet .ConversationSide-person')
  assert.deepEqual(await findAccessProblems(page), [])
  await page.click('.Sheet [aria-label=Close]')
  await page.locator('.RowHead-name').first().click()
  const box = await card.boundingBox()
  assert.equal(Math.round((box?.x ?? 0) + (box?.width ?? 0)), 360)
  assert.equal(Math.round((box?.y ?? 0) + (box?.height ?? 0)), 640)
  await page.keyboard.press('Escape')
  await page.setViewportSize(wide.viewport)
})

test('hostile names, statuses and fields run no script', async () => {
  const names = xssVectors.map((vector) => vector.replace(/[*`\\>"@\n\r]/g, '').slice(0, 60)).filter(Boolean)
  for (const status_text of xssVectors.slice(0, 40))
    await fern.userStatus.set({ status_text: status_text.slice(0, 60) }).catch(() => {})
  for (const full_name of names.slice(0, 20))
    await world.owner.users.update({ user_id: fern.user_id, full_name }).catch(() => {})
  await fern.userStatus.set({ status_text: '<img src=x onerror=alert(1)>' })
  await open(`#people/${fern.user_id}`)
  await page.locator('.PersonFacts-status', { hasText: '<img src=x onerror=alert(1)>' }).waitFor()
  await open('#people')
  await page.waitForSelector('.FixedList-row')
  await open(topicHash)
  await page.locator('.RowHead-name').last().click()
  await card.locator('.PersonFacts-status').waitFor()
  await page.keyboard.press('Escape')
  await world.owner.users.update({ user_id: fern.user_id, full_name: 'Fern Gardener' })
})

const screens = [
  ['topic', topicHash, '.Row'],
  ['private', privateHash, '.TypingLine'],
  ['people', '#people', '.FixedList-row'],
  ['profile', `#people/${otto.user_id}`, '.Profile-details'],
] as const

for (const name of ['light', 'dark'] as const)
  test(`lists and cards of people are accessible and fit the browser window: ${name}`, async () => {
    await applyLook(page, looks[name])
    for (const [index, [view, hash, ready]] of screens.entries())
      for (const { width, height } of windowsFor(name, index)) {
        await page.setViewportSize({ width, height })
        await open(hash)
        await page.waitForSelector(ready)
        await takePicture(page, `people-${view}-${name}-${width}`)
        assert.deepEqual(await findAccessProblems(page), [], `${view} ${width}`)
      }
    for (const { width, height } of windowsFor(name)) {
      await page.setViewportSize({ width, height })
      await open(topicHash)
      await page.locator('.RowHead-name').first().click()
      await card.waitFor()
      await takePicture(page, `people-card-${name}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `card ${width}`)
      await page.keyboard.press('Escape')
    }
  })

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
