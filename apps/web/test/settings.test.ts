import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, signIn } from '@oxbow/testkit'
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
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
await world.stream('garden', { members: [iris, otto] })
await otto.messages.send({ type: 'stream', to: 'garden', topic: 'roses', content: 'In bloom :rose:' })

const page = await site.openAs(iris, '#settings/display')
/** A second browser of the same person, which receives changes as events. */
const second = await site.openAs(iris, '#settings/display')

/** Opens a page of the settings. */
async function openSettings(on: typeof page, name: string): Promise<void> {
  await on.evaluate(`location.hash = '#settings/${name}'`)
  await on.waitForSelector(`.PagesFrame-link[aria-current][href="#settings/${name}"]`)
}

const setting = (on: typeof page, label: string) => on.getByLabel(label, { exact: true })
const root = (on: typeof page, name: string) =>
  on.evaluate(`document.documentElement.dataset.${name}`) as Promise<string | undefined>

test('the menu of the account opens the settings, by mouse and by keyboard', async () => {
  await page.evaluate("location.hash = '#inbox'")
  await page.click('.NavMenus-account')
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.waitForSelector('.PagesFrame-list')
  assert.match(await page.innerText('h1'), /Settings/)
  await page.focus('.PagesFrame-link:has-text("Sessions")')
  await page.keyboard.press('Enter')
  await page.waitForSelector('.SessionsPage-list')
  assert.match(page.url(), /#settings\/sessions$/)
  await page.goBack()
  await page.waitForSelector('.Picture')
})

test('display settings take effect at once, reach another tab and survive a reload', async () => {
  await openSettings(page, 'display')
  const switches = [
    ['High contrast', 'contrast', 'more'],
    ['Use the whole width', 'width', 'full'],
  ] as const
  for (const [label, name, value] of switches) {
    await setting(page, label).check()
    assert.equal(await root(page, name), value)
    await eventually(async () => (await root(second, name)) === value)
    assert.ok(await setting(second, label).isChecked())
  }
  await page.reload()
  await page.waitForSelector('.Segments')
  for (const [label, name, value] of switches) {
    assert.equal(await root(page, name), value)
    await setting(page, label).uncheck()
    await eventually(async () => (await root(second, name)) === undefined)
  }
})

test('the colour theme is chosen with arrow keys', async () => {
  await openSettings(page, 'display')
  await page.getByRole('radio', { name: 'System' }).focus()
  await page.keyboard.press('ArrowRight')
  assert.equal(await root(page, 'theme'), 'light')
  // The two changes are sent by separate requests, which could overtake each other.
  await eventually(async () => (await root(second, 'theme')) === 'light')
  await page.keyboard.press('ArrowRight')
  await eventually(async () => (await root(second, 'theme')) === 'dark')
  await page.reload()
  await page.waitForSelector('.Segments')
  assert.ok(await page.getByRole('radio', { name: 'Dark' }).isChecked())
  await page.getByRole('radio', { name: 'System' }).click()
  await eventually(async () => (await root(second, 'theme')) === undefined)
})

test('clock, Enter key, emoji and starred messages change for all tabs', async () => {
  await openSettings(page, 'display')
  assert.match(await page.innerText('#main'), /is written 4:30 PM\./)
  for (const label of [
    '24-hour clock',
    'Enter sends',
    'Turn emoticons into emoji',
    'Show emoji by their names',
    'Count starred messages',
  ]) {
    await setting(page, label).focus()
    await page.keyboard.press('Space')
    await eventually(async () => setting(second, label).isChecked())
  }
  assert.match(await second.innerText('#main'), /is written 16:30\./)
  await setting(page, 'Fold inactive streams').selectOption('Never')
  await eventually(async () => (await setting(second, 'Fold inactive streams').inputValue()) === '3')
  await second.evaluate("location.hash = '#narrow/in/home'")
  assert.match(await second.innerText('.Row:has-text("In bloom")'), /:rose:/)
  await second.goBack()
  await setting(page, 'Show emoji by their names').uncheck()
})

test('text size and first view are stored only in this browser', async () => {
  await openSettings(page, 'display')
  await setting(page, 'Text size').selectOption('Largest')
  await setting(page, 'Begin with').selectOption('All messages')
  await page.goto(world.nodes.b.url)
  await page.waitForSelector('.MessageList, .Row')
  assert.match(page.url(), /#narrow\/in\/home$/)
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).fontSize'), '22px')
  assert.equal(await second.evaluate('getComputedStyle(document.documentElement).fontSize'), '16px')
  await openSettings(page, 'display')
  await setting(page, 'Text size').selectOption('As in the browser')
  await setting(page, 'Begin with').selectOption('Inbox')
})

test('a setting that the server refuses is reverted, and the reason is shown', async () => {
  await openSettings(page, 'display')
  await page.route('**/api/v1/settings/display', (route) =>
    route.fulfill({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not today.' } }),
  )
  await setting(page, 'Compact').click()
  await page.waitForSelector('.RefusedAction-line:has-text("Not today.")')
  assert.ok(await setting(page, 'Compact').isChecked())
  await page.unroute('**/api/v1/settings/display')
  await page.click('.RefusedAction-line button')
})

test('sessions are listed, and one or all other sessions can be ended', async () => {
  const phone = 'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 Chrome/148.0.0.0 Mobile Safari/537.36'
  const signedIn = await signIn(world, iris, { userAgent: phone, is_trusted: true })
  await openSettings(page, 'sessions')
  const row = page.locator('.SessionsPage-row:has-text("Chrome on Android")')
  assert.match(await row.innerText(), /127\.0\.0\.1[\s\S]*Stays signed in/)
  assert.equal(await page.locator('.SessionsPage-mark').count(), 1)

  await row.getByRole('button').click()
  await row.waitFor({ state: 'detached' })
  await assert.rejects(signedIn.users.me(), { status: 401 })
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await second.waitForSelector('.SessionEnded')
  await eventually(async () => (await page.locator('.SessionsPage-row').count()) === 1)
  assert.equal(await page.locator('[data-current]').count(), 1)
})

test('notifications are chosen per kind of message and channel, and can differ per stream', async () => {
  const third = await site.openAs(iris, '#settings/notifications')
  await openSettings(page, 'notifications')
  const box = (on: typeof page, label: string) => on.getByRole('checkbox', { name: label })
  for (const label of ['Streams: Screen', 'Streams: Sound']) {
    await box(page, label).check()
    await eventually(async () => box(third, label).isChecked())
  }
  await box(page, 'Private messages and mentions: Sound').uncheck()
  await eventually(async () => !(await box(third, 'Private messages and mentions: Sound').isChecked()))

  await page.getByRole('combobox', { name: 'Let another stream differ' }).fill('gard')
  await page.keyboard.press('Enter')
  await box(page, 'garden: Sound').uncheck()
  await third.waitForSelector('tr:has-text("garden")')
  assert.ok(await box(third, 'garden: Screen').isChecked())
  assert.ok(!(await box(third, 'garden: Sound').isChecked()))
  await third.getByRole('button', { name: 'Treat garden as the other streams' }).click()
  await eventually(async () => {
    await page.reload()
    await page.waitForSelector('.NotificationsPage-table')
    return (await page.locator('tr:has-text("garden")').count()) === 0
  })
  assert.ok(await box(page, 'Streams: Sound').isChecked())
  await third.context().close()
})

test('alert words are added and removed, and undo restores them', async () => {
  await openSettings(page, 'alert-words')
  const row = (word: string) => page.locator('.SettingList-row', { hasText: word })
  for (const word of ['ladder', '<img src=x onerror=alert(1)>']) {
    await page.getByLabel('New word').fill(word)
    await page.keyboard.press('Enter')
    await row(word).waitFor()
  }
  await eventually(async () => (await iris.alertWords.list()).alert_words.length === 2)
  await page.getByRole('button', { name: 'Remove ladder' }).click()
  await row('ladder').waitFor({ state: 'detached' })
  await page.click('.Undo button:has-text("Undo")')
  await row('ladder').waitFor()
  // The page shows the word before the server has it.
  await eventually(async () => (await iris.alertWords.list()).alert_words.includes('ladder'))
  await iris.alertWords.remove({ alert_words: ['ladder'] })
  await row('ladder').waitFor({ state: 'detached' })
})

test('muted topics and streams are listed and unmuted', async () => {
  const { subscriptions } = await iris.subscriptions.list()
  const [garden] = subscriptions
  const stream_id = garden?.stream_id as never
  await iris.subscriptions.muteTopic({ stream_id, topic: '<b>compost</b>', op: 'add' })
  await iris.subscriptions.setProperties({
    subscription_data: [{ stream_id, property: 'is_muted', value: true }],
  })
  await openSettings(page, 'muted')
  await page.getByRole('button', { name: 'Unmute <b>compost</b>' }).click()
  await page.getByRole('button', { name: 'Unmute garden' }).click()
  await page.waitForSelector('.Empty-title:has-text("Nothing is muted")')
  await eventually(async () => (await iris.subscriptions.list()).subscriptions[0]?.is_muted === false)
})

const screens = [
  '#settings',
  '#settings/display',
  '#settings/sessions',
  '#settings/notifications',
  '#settings/alert-words',
  '#settings/muted',
]

for (const name of ['light', 'dark'] as const)
  test(`the settings are accessible and fit the browser window: ${name}`, async () => {
    await applyLook(page, looks[name])
    for (const [index, screen] of screens.entries())
      for (const { width, height } of windowsFor(name, index)) {
        await page.setViewportSize({ width, height })
        await page.evaluate(`location.hash = '${screen}'`)
        await page.waitForSelector('.PagesFrame-list, .Group, .Empty')
        await takePicture(page, `${screen.slice(1).replace('/', '-')}-${name}-${width}`)
        assert.deepEqual(await findAccessProblems(page), [], `${screen} ${width}`)
      }
  })

test('on phones the list of pages is a separate screen, and back returns to it', async () => {
  await page.setViewportSize({ width: 360, height: 640 })
  await page.evaluate("location.hash = '#settings'")
  await page.waitForSelector('.PagesFrame-list')
  await page.waitForSelector('.Group', { state: 'detached' })
  await page.getByRole('link', { name: 'Display' }).click()
  await page.waitForSelector('.Segments')
  assert.equal(await page.locator('.PagesFrame-list').count(), 0)
  await page.getByRole('button', { name: 'Back to the list: Settings' }).click()
  await page.waitForSelector('.PagesFrame-list')
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
