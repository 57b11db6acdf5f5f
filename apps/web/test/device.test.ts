import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { xssVectors } from '@oxbow/markdown/attacks'
import { eventually } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import type { BrowserContext, Page } from 'playwright-core'
import { findAccessProblems, startClientSite, takePicture } from './open-client.ts'
import { readStore, readWholeDevice } from './read-device.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const send = (content: string) =>
  otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
const rowWith = (text: string) => `.Row[data-id]:has-text("${text}")`

const openBrowser = () => site.newContext()

async function openTrusted(context: BrowserContext, hash = roses): Promise<Page> {
  await site.signInTo(context, iris)
  return site.openTab(context, hash)
}

/** Waits until the device has stored a text, and with it everything of the same transaction. */
const waitUntilKept = (page: Page, text: string) =>
  eventually(async () => JSON.stringify(await readStore(page, iris, 'messages')).includes(text))

/** Collects the paths of requests to the API from now on. */
function collectCalls(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/v1/')) calls.push(pathname.slice('/api/v1/'.length))
  })
  return calls
}

const listDatabases = (page: Page): Promise<string[]> =>
  page.evaluate('indexedDB.databases().then((all) => all.map(({ name }) => name))')

test('a reload continues the queue from the device, without registering or fetching messages', async () => {
  await using context = await openBrowser()
  await send('Before the reload')
  const page = await openTrusted(context)
  await page.waitForSelector(rowWith('Before the reload'))
  await waitUntilKept(page, 'Before the reload')
  const calls = collectCalls(page)
  await page.goto('about:blank')
  await send('While the page was away')
  await page.goto(`${world.nodes.b.url}/${roses}`)
  await page.waitForSelector(rowWith('Before the reload'))
  await page.waitForSelector(rowWith('While the page was away'))
  await send('After the reload')
  await page.waitForSelector(rowWith('After the reload'))
  for (const path of ['register', 'messages']) assert.ok(!calls.includes(path), calls.join(' '))
  assert.ok(calls.includes('events'))
})

test('stored messages can be read while the server does not respond, and are updated later', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  await send('Kept for later')
  await page.waitForSelector(rowWith('Kept for later'))
  await waitUntilKept(page, 'Kept for later')
  await page.goto('about:blank')
  await page.route('**/api/v1/**', (route) => route.abort())
  await page.goto(`${world.nodes.b.url}/${roses}`)
  await page.waitForSelector(rowWith('Kept for later'))
  await send('Sent meanwhile')
  await page.unroute('**/api/v1/**')
  await page.evaluate("dispatchEvent(new Event('online'))")
  await page.waitForSelector(rowWith('Sent meanwhile'))
})

test('a queue that the server has lost is replaced, and the list shows the missed messages', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context, '')
  const polled = page.waitForRequest((request) => request.url().includes('/api/v1/events?'))
  await page.goto(`${world.nodes.b.url}/${roses}`)
  await page.reload()
  const queue_id = new URL((await polled).url()).searchParams.get('queue_id') ?? ''
  await send('Before the queue was lost')
  await page.waitForSelector(rowWith('Before the queue was lost'))
  await waitUntilKept(page, 'Before the queue was lost')
  await page.goto('about:blank')
  await iris.events.deleteQueue({ queue_id })
  await send('After the queue was lost')
  await page.goto(`${world.nodes.b.url}/${roses}`)
  await page.waitForSelector(rowWith('After the queue was lost'))
})

test('a session that is not trusted stores nothing on the device', async () => {
  await using context = await openBrowser()
  await site.signInTo(context, iris, { isTrusted: false })
  const page = await site.openTab(context, roses)
  await page.waitForSelector('.Row[data-id]')
  await page.locator('.Composer .WritingField-text').focus()
  await page.keyboard.insertText('Not to be kept')
  assert.deepEqual(await listDatabases(page), [])
  await page.reload()
  await page.waitForSelector('.Row[data-id]')
  assert.deepEqual(await listDatabases(page), [])
})

test('signing out deletes all stored data', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  await page.waitForSelector('.Row[data-id]')
  const text = 'Kept until the end'
  await send(text)
  await waitUntilKept(page, text)
  const other = await site.openTab(context, roses)
  await page.click('.NavMenus-account')
  await page.click('[role=menuitem]:has-text("Sign out")')
  await page.waitForURL(/\/login/)
  await other.waitForURL(/\/login/)
  await eventually(async () => (await listDatabases(page)).length === 0)
})

const endSessions = async () => {
  const { sessions } = await iris.sessions.list()
  for (const { id } of sessions) await iris.sessions.end({ session_id: id })
}

test('the end of a session on another device hides and deletes all messages in all tabs', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  const text = 'Shown until the end'
  await send(text)
  await waitUntilKept(page, text)
  const other = await site.openTab(context, roses)
  await other.waitForSelector(rowWith(text))
  assert.deepEqual(await listDatabases(page), [`oxbow/${iris.user_id}`])
  await endSessions()
  for (const tab of [page, other]) {
    await tab.waitForSelector('.SessionEnded:has-text("You are signed out")')
    assert.doesNotMatch(await tab.content(), /Shown until the end/)
    assert.equal(await tab.title(), 'You are signed out.')
  }
  await takePicture(page, 'signed-out')
  assert.deepEqual(await findAccessProblems(page), [])
  await eventually(async () => (await listDatabases(page)).length === 0)
  assert.doesNotMatch(await readWholeDevice(page), /Shown until the end/)
})

test('a device whose session was ended while it was off keeps no messages once it reaches the server', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  const text = 'Kept while the device is off'
  await send(text)
  await waitUntilKept(page, text)
  await page.goto('about:blank')
  await endSessions()
  await page.goto(`${site.url}/${roses}`)
  await page.waitForURL(/\/login/)
  await eventually(async () => (await listDatabases(page)).length === 0)
})

test('texts that the server does not have are kept when a session ends, and used when it is started again', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  const isSend = (url: URL) => url.pathname === '/api/v1/messages' || url.pathname === '/api/v1/drafts'
  await context.route(isSend, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  const field = page.locator('.Composer .WritingField-text')
  await field.fill('Typed and not sent')
  await field.press('Control+Enter')
  await page.waitForSelector('.Row-unsent')
  await field.fill('Typed and not finished')
  await eventually(async () => JSON.stringify(await readStore(page, iris, 'drafts')).includes('not finished'))
  await endSessions()
  await page.waitForSelector('.SessionEnded:has-text("1 message that was not sent is kept on this device")')
  assert.deepEqual(await readStore(page, iris, 'messages'), [])
  await page.close()
  await context.unroute(isSend)
  const again = await openTrusted(context)
  await again.waitForSelector(rowWith('Typed and not sent'))
  await eventually(async () => (await again.locator('.Composer .WritingField-text').inputValue()) !== '')
  assert.match(await again.locator('.Composer .WritingField-text').inputValue(), /Typed and not finished/)
  await eventually(async () => (await iris.drafts.list()).drafts.length > 0)

  // The server has the draft now, so it need not be on the device.
  await eventually(async () => JSON.stringify(await readStore(again, iris, 'drafts')).includes('saved_at'))
  await endSessions()
  await again.waitForSelector('.SessionEnded')
  await eventually(async () => (await listDatabases(again)).length === 0)
  // A session that is not trusted gets the text from the server.
  await site.signInTo(context, iris, { isTrusted: false })
  await again.click('a:has-text("Sign in")')
  await again.waitForSelector('.Row[data-id]')
  await eventually(async () => (await again.locator('.Composer .WritingField-text').inputValue()) !== '')
  assert.deepEqual(await listDatabases(again), [])
})

test('a session that is not trusted takes over the texts of a trusted one, and deletes them from the device', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  const isSend = (url: URL) => url.pathname === '/api/v1/messages'
  await context.route(isSend, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await page.locator('.Composer .WritingField-text').fill('Typed on a trusted device')
  await page.locator('.Composer .WritingField-text').press('Control+Enter')
  await eventually(async () => (await readStore(page, iris, 'outbox')).length === 1)
  await page.close()
  await context.unroute(isSend)
  await site.signInTo(context, iris, { isTrusted: false })
  const again = await site.openTab(context, roses)
  await again.waitForSelector(rowWith('Typed on a trusted device'))
  await eventually(async () => (await listDatabases(again)).length === 0)
})

test('another account on the same browser sees no data of the previous one', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context, '')
  await iris.messages.send({ type: 'private', to: [iris.user_id], content: 'The secret of Iris' })
  await page.goto(`${world.nodes.b.url}/#narrow/pm-with/${iris.user_id}-iris`)
  await page.waitForSelector(rowWith('The secret of Iris'))
  await waitUntilKept(page, 'The secret of Iris')
  await page.goto('about:blank')
  await site.signInTo(context, otto)
  // Nothing may be shown even before the server has responded.
  await page.route('**/api/v1/**', () => {})
  await page.goto(`${world.nodes.b.url}/#narrow/pm-with/${iris.user_id}-iris`)
  await page.waitForSelector('.Boot')
  await eventually(async () => !(await listDatabases(page)).includes(`oxbow/${iris.user_id}`))
  assert.doesNotMatch(await page.content(), /secret of Iris/)
  await page.unroute('**/api/v1/**')
  await page.reload()
  await page.waitForSelector('.App')
  assert.doesNotMatch(await page.content(), /secret of Iris/)
})

test('stored data contains no secrets', async () => {
  await using context = await openBrowser()
  const { api_key } = await iris.bots.create({ full_name: 'Herald', short_name: 'herald', bot_type: 1 })
  const page = await openTrusted(context)
  await page.waitForSelector('.Row[data-id]')
  await eventually(async () => (await readStore(page, iris, 'state')).length > 0)
  const cookies = await context.cookies()
  const kept = JSON.stringify([
    ...(await readStore(page, iris, 'state')),
    await page.evaluate('({ ...localStorage, ...sessionStorage })'),
  ])
  assert.match(kept, /Herald/)
  const session = cookies.find(({ httpOnly }) => httpOnly)
  for (const secret of [api_key, iris.api_key, session?.value]) {
    assert.ok(secret)
    assert.ok(!kept.includes(secret))
  }
  assert.ok(!String(await page.evaluate('document.cookie')).includes(session?.value ?? ''))
})

/** So few that a page shows all of them. */
const attacksPerTopic = 25

test('attack-corpus messages that were stored on the device run no script', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  await page.addInitScript('window.xss = () => { window.attacked = true }')
  const attacks = xssVectors.filter((_, index) => index % bySize({ gate: 12, long: 1 }) === 0)
  for (let start = 0; start < attacks.length; start += attacksPerTopic) {
    const topic = `attacks-${start}`
    const sendAttack = (content: string) =>
      otto.messages.send({ type: 'stream', to: garden.name, topic, content })
    await page.goto(`${world.nodes.b.url}/${roses.replace('roses', topic)}`)
    await Promise.allSettled(attacks.slice(start, start + attacksPerTopic).map(sendAttack))
    await sendAttack(`The last of ${topic}`)
    await waitUntilKept(page, `The last of ${topic}`)
    await page.reload()
    await page.waitForSelector(rowWith(`The last of ${topic}`))
    assert.equal(await page.evaluate('window.attacked'), undefined)
  }
})

const brokenStorages = {
  'the browser refuses databases': "Object.defineProperty(window, 'indexedDB', { value: undefined })",
  'opening the database fails':
    "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError') }",
  'every write fails because the disk is full':
    "IDBObjectStore.prototype.put = () => { throw new DOMException('full', 'QuotaExceededError') }",
  'the browser has no locks': "Object.defineProperty(navigator, 'locks', { value: undefined })",
}

for (const [trouble, script] of Object.entries(brokenStorages))
  test(`the client reads and writes messages where ${trouble}`, async () => {
    await using context = await openBrowser()
    await context.addInitScript(script)
    const page = await openTrusted(context)
    await page.waitForSelector('.Row[data-id]')
    await page.locator('.Composer .WritingField-text').focus()
    await page.keyboard.insertText(`Sent where ${trouble}`)
    await page.keyboard.press('Control+Enter')
    await page.waitForSelector(rowWith(`Sent where ${trouble}`))
    await page.reload()
    await page.waitForSelector(rowWith(`Sent where ${trouble}`))
  })

test('deleting the database of an open page loses only the stored copy', async () => {
  await using context = await openBrowser()
  const page = await openTrusted(context)
  await page.waitForSelector('.Row[data-id]')
  await page.evaluate(`new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase('oxbow/${iris.user_id}')
    request.onsuccess = resolve
    request.onerror = reject
  })`)
  await page.locator('.Composer .WritingField-text').focus()
  await page.keyboard.insertText('Sent without a database')
  await page.keyboard.press('Control+Enter')
  await page.waitForSelector(rowWith('Sent without a database'))
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
