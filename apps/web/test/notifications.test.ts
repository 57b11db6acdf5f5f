import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { applyLook, findAccessProblems, goTo, looks, startClientSite, takePicture } from './open-client.ts'

const site = await startClientSite({ needsWholeBrowser: true })
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto, fern] = [
  await world.person('iris'),
  await world.person('otto'),
  await world.person('fern'),
]
const garden = await world.stream('garden', { members: [iris, otto, fern] })
const news = await world.stream('news', { members: [iris, otto] })
await iris.alertWords.add({ alert_words: ['frost'] })
await iris.settings.updateNotifications({ enable_stream_desktop_notifications: false, enable_sounds: false })

const send = (content: string, { topic = 'roses', stream = garden } = {}) =>
  otto.messages.send({ type: 'stream', to: stream.name, topic, content })
const write = (content: string, to = [iris.user_id]) => otto.messages.send({ type: 'private', to, content })

interface Shown {
  title: string
  body: string
  hash: string
  message_id: number
}

/** Returns the notifications that the browser shows for the site. */
const listShown = (page: Page): Promise<Shown[]> =>
  page.evaluate(`navigator.serviceWorker.getRegistration().then((registration) => registration.getNotifications())
    .then((all) => all.map(({ title, body, data }) => ({ title, body, ...data })))`)

const closeAll = (page: Page) =>
  page.evaluate(`navigator.serviceWorker.getRegistration().then((registration) => registration.getNotifications())
    .then((all) => all.forEach((each) => each.close()))`)

/** Notifications that any page has shown. On a busy machine, Chromium does not list all of them. */
const shown: Shown[] = []

async function openContext({ isAllowed = true, person = iris } = {}): Promise<BrowserContext> {
  const context = await site.newContext({ serviceWorkers: 'allow' })
  await context.exposeFunction('noteShown', (notification: Shown) => shown.push(notification))
  await context.addInitScript(`
    const show = ServiceWorkerRegistration.prototype.showNotification
    ServiceWorkerRegistration.prototype.showNotification = async function (title, options) {
      await show.call(this, title, options)
      window.noteShown({ title, body: options.body, ...options.data })
    }`)
  if (isAllowed) await context.grantPermissions(['notifications'], { origin: site.url })
  await site.signInTo(context, person)
  return context
}

const waitForWorker = (page: Page) => page.evaluate('navigator.serviceWorker.ready.then(() => {})')

const context = await openContext()
const page = await site.openTab(context, '#inbox')
await waitForWorker(page)
// Waits for the state. Messages sent earlier would be part of it, and cause no notification.
await page.waitForSelector('.App-nav .NavRow:has-text("garden")')

/** Waits for the notification of a message and returns it. */
const waitForShown = (id: number): Promise<Shown> =>
  eventually(() => shown.find(({ message_id }) => message_id === id))

test('private messages, mentions and alert words notify with the name of their conversation', async () => {
  const { id: privately } = await write('Can you bring the **ladder**? ||not this||')
  const shown = await waitForShown(privately)
  assert.equal(shown.title, 'Otto Gardener')
  assert.match(shown.body, /^Can you bring the ladder\?/)
  const { id: mentioning } = await send('@**Iris Gardener** will they flower?')
  assert.equal((await waitForShown(mentioning)).title, 'Otto Gardener · garden › roses')
  const { id: alerting } = await send('Frost tonight', { topic: 'weather' })
  assert.equal((await waitForShown(alerting)).title, 'Otto Gardener · garden › weather')
  const { id: inGroup } = await write('Tea at four?', [iris.user_id, fern.user_id])
  assert.match((await waitForShown(inGroup)).title, /^Otto Gardener · .*Fern Gardener/)
})

test('other messages in streams notify according to the settings of the account and the stream', async () => {
  const { id: quiet } = await send('Nothing special')
  await iris.subscriptions.setProperties({
    subscription_data: [{ stream_id: news.stream_id, property: 'desktop_notifications', value: true }],
  } as never)
  await goTo(page, '#settings/notifications')
  await page.waitForSelector('text="news"')
  const { id: wanted } = await send('Spring fair', { stream: news, topic: 'fair' })
  assert.equal((await waitForShown(wanted)).title, 'Otto Gardener · news › fair')
  assert.ok(!shown.some(({ message_id }) => message_id === quiet))
})

test('a notification hides the text of a private message if the account disabled it', async () => {
  await iris.settings.updateNotifications({ pm_content_in_desktop_notifications: false })
  await closeAll(page)
  await goTo(page, '#settings/notifications')
  const box = page.getByRole('switch', { name: 'Show what private messages say' })
  await eventually(async () => !(await box.isChecked()))
  const { id } = await write('The code is 4711')
  const shown = await waitForShown(id)
  assert.deepEqual([shown.title, shown.body], ['Otto Gardener', 'New message'])
  await iris.settings.updateNotifications({ pm_content_in_desktop_notifications: true })
})

test('a notification is closed when its message is read on another device', async () => {
  const { id } = await write('Read this elsewhere')
  await waitForShown(id)
  await iris.messages.changeFlags({ messages: [id], op: 'add', flag: 'read' })
  await eventually(async () => !(await listShown(page)).some(({ message_id }) => message_id === id))
})

test('a click on a notification opens its message and closes the notification', async () => {
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  // A script cannot click a notification of the system, so it sends the click event to the worker. On a busy machine,
  // Chromium does not list all notifications, so the test may need another one.
  const id = await eventually(async () => {
    const sent = await send('@**Iris Gardener** look at the buds', { topic: 'buds' })
    await waitForShown(sent.id)
    const isClicked = await worker.evaluate<boolean>(`registration.getNotifications().then((all) => {
      const notification = all.find(({ data }) => data.message_id === ${sent.id})
      if (notification) dispatchEvent(new NotificationEvent('notificationclick', { notification }))
      return notification !== undefined
    })`)
    return isClicked && sent.id
  })
  await page.waitForSelector(`.Row[data-id="${id}"][data-marked]`)
  await eventually(async () => !(await listShown(page)).some(({ message_id }) => message_id === id))
})

test('a message that is in view in any tab causes no notification', async () => {
  const other = await site.openTab(context, `#narrow/stream/${garden.stream_id}-garden/topic/roses`)
  await other.waitForSelector('.Row[data-id]')
  await goTo(page, '#inbox')
  // A tab that does not answer within 300 ms counts as not showing the message, so the test may need another one.
  await eventually(async () => {
    const { id: seen } = await send('@**Iris Gardener** you see this')
    await other.waitForSelector(`.Row[data-id="${seen}"]`)
    const { id: unseen } = await send('@**Iris Gardener** but not this', { topic: 'elsewhere' })
    await waitForShown(unseen)
    return !shown.some(({ message_id }) => message_id === seen)
  })
  await other.close()
})

test('several tabs show one notification, and another tab takes over when the leader is closed', async () => {
  await closeAll(page)
  const others = [await site.openTab(context, '#inbox'), await site.openTab(context, '#inbox')]
  const { id } = await write('For one of three tabs')
  await waitForShown(id)
  assert.equal(shown.filter(({ message_id }) => message_id === id).length, 1)
  // Any tab may be the leader. After the others are closed, the first tab must take over.
  for (const tab of others) await tab.close()
  const { id: later } = await write('For the tab that is left')
  await waitForShown(later)
})

test('the title and the icon show the number of unread messages', async () => {
  await iris.messages.markAllRead()
  await goTo(page, '#inbox')
  await eventually(async () => (await page.title()) === 'Inbox – The Garden')
  const icon = () => page.getAttribute('link[rel=icon]', 'href')
  assert.match((await icon()) ?? '', /favicon-[^/]*\.svg$/)
  const plain = await icon()
  await send('One for all')
  await write('One for you')
  await eventually(async () => (await page.title()) === '(2) Inbox – The Garden')
  assert.notEqual(await icon(), plain)
  assert.equal((await page.request.get(`${site.url}${await icon()}`)).status(), 200)
  await iris.settings.updateNotifications({ desktop_icon_count_display: 2 })
  await eventually(async () => (await page.title()) === '(1) Inbox – The Garden')
  await iris.settings.updateNotifications({ desktop_icon_count_display: 3 })
  await eventually(async () => (await page.title()) === 'Inbox – The Garden')
  assert.equal(await icon(), plain)
})

test('a sound is played only if the account enabled it', async () => {
  const audio = await context.newCDPSession(page)
  let played = 0
  audio.on('WebAudio.contextCreated', () => {
    played++
  })
  await audio.send('WebAudio.enable')
  await goTo(page, '#settings/notifications')
  const box = page.getByRole('checkbox', { name: 'Private messages and mentions: Sound' })
  await waitForShown((await write('Silently')).id)
  assert.equal(played, 0)
  await iris.settings.updateNotifications({ enable_sounds: true })
  await eventually(() => box.isChecked())
  await waitForShown((await write('Not silently')).id)
  await eventually(async () => played > 0)
})

test('signing out closes the notifications, which quote messages', async () => {
  const leaving = await openContext({ person: fern })
  const closed: number[] = []
  await leaving.exposeFunction('noteClosed', (message_id: number) => closed.push(message_id))
  await leaving.addInitScript(`
    const close = Notification.prototype.close
    Notification.prototype.close = function () {
      window.noteClosed(this.data.message_id)
      close.call(this)
    }`)
  const tab = await site.openTab(leaving, '#inbox')
  await waitForWorker(tab)
  await tab.waitForSelector('.App-nav .NavRow:has-text("garden")')
  const id = await eventually(async () => {
    const { id } = await write('Only for you', [fern.user_id])
    await waitForShown(id)
    return (await listShown(tab)).some(({ message_id }) => message_id === id) && id
  })
  await tab.click('.NavMenus-account')
  await tab.click('[role=menuitem]:has-text("Sign out")')
  await tab.waitForURL(/\/login/)
  await eventually(() => closed.includes(id))
  await leaving.close()
})

test('the notification permission is offered after the first missed message, and requested only after a click', async () => {
  const asking = await openContext({ isAllowed: false })
  await asking.addInitScript(`
    window.asked = 0
    const request = Notification.requestPermission
    Notification.requestPermission = () => { window.asked++; return request.call(Notification) }
    // Headless browsers deny the permission from the start, so the property is replaced.
    Object.defineProperty(Notification, 'permission', { get: () => window.asked ? 'granted' : 'default' })`)
  const tab = await site.openTab(asking, '#inbox')
  assert.equal(await tab.locator('.NotificationLine').count(), 0)
  await write('You would have seen this')
  await tab.waitForSelector('.NotificationLine')
  assert.equal(await tab.evaluate('window.asked'), 0)
  for (const look of ['light', 'dark'] as const) {
    await applyLook(tab, looks[look])
    await takePicture(tab, `notification-offer-${look}`)
    assert.deepEqual(await findAccessProblems(tab), [], look)
  }
  await tab.click('.NotificationLine button:has-text("Not now")')
  await tab.waitForSelector('.NotificationLine', { state: 'detached' })
  await tab.reload()
  await goTo(tab, '#settings/notifications')
  await takePicture(tab, 'notification-settings')
  await tab.click('button:has-text("Allow notifications")')
  assert.equal(await tab.evaluate('window.asked'), 1)
  await asking.close()
})

test('the menu of a message explains why it notified the user, and leads to the settings', async () => {
  await write('Tea at four?')
  await goTo(page, `#narrow/pm-with/${otto.user_id}-otto`)
  await page.locator('.Row-message').last().focus()
  await page.keyboard.press('i')
  await page.locator('[role=menu]:popover-open [role=menuitem]', { hasText: 'Why was I notified?' }).click()
  const channel = (name: string) => page.locator('.ToldDialog-channel', { hasText: name }).locator('dd')
  await channel('On the screen').waitFor()
  assert.equal(await channel('On the screen').innerText(), 'Yes: a private message.')
  assert.match(await channel('E-mail').innerText(), /does not send e-mails about messages yet/)
  for (const [width, theme] of [
    [1440, 'light'],
    [360, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await applyLook(page, looks[theme])
    await takePicture(page, `why-notified-${width}-${theme}`)
    assert.deepEqual(await findAccessProblems(page), [], theme)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.click('button:has-text("Notification settings")')
  await page.waitForSelector('.ToldDialog', { state: 'detached' })
  await eventually(() => page.evaluate("location.hash === '#settings/notifications'"))
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
