import assert from 'node:assert/strict'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventually, startNodeProcess, startTcpProxy } from '@oxbow/testkit'
import type { Page } from 'playwright-core'
import { findAccessProblems, startClientSite, takePicture } from './open-client.ts'
import { readStore } from './read-device.ts'

const directoryOfBuild = process.env.OXBOW_WEB_DIR ?? ''
const site = await startClientSite({ ownServer: true })
after(() => site[Symbol.asyncDispose]())
const { world } = site
// With the proxy, a test can make the server unreachable, or replace it by a server with another
// build.
const proxy = await startTcpProxy(Number(new URL(world.nodes.b.url).port))
after(() => proxy[Symbol.asyncDispose]())
site.url = `http://127.0.0.1:${proxy.port}`

const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
const send = (content: string) =>
  otto.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content })
await send('Before the train left')

const context = await site.newContext({ serviceWorkers: 'allow' })
await site.signInTo(context, iris)
const rowWith = (text: string) => `.Row[data-id]:has-text("${text}")`

async function write(page: Page, text: string): Promise<void> {
  await page.locator('.Composer .WritingField-text').focus()
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Enter')
}

const isControlled = (page: Page): Promise<boolean> =>
  page.evaluate('navigator.serviceWorker.controller !== null')

test('the service worker is served without caching and with its own content security policy', async () => {
  const { status, headers } = await fetch(`${world.nodes.a.url}/sw.js`)
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/javascript/)
  assert.equal(headers.get('cache-control'), 'no-cache')
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'")
})

test('without a server the client starts, shows stored data and accepts messages, which are sent later', async () => {
  const page = await site.openTab(context, roses)
  await page.waitForSelector(rowWith('Before the train left'))
  await eventually(() => isControlled(page))
  await eventually(async () =>
    JSON.stringify(await readStore(page, iris, 'messages')).includes('the train left'),
  )
  proxy.close()

  await page.reload()
  await page.waitForSelector(rowWith('Before the train left'))
  await write(page, 'Written in the tunnel')
  await page.waitForSelector('.Row-unsent:has-text("Written in the tunnel")')
  await eventually(async () =>
    JSON.stringify(await readStore(page, iris, 'outbox')).includes('in the tunnel'),
  )
  await page.close()
  const later = await site.openTab(context, roses)
  await later.waitForSelector('.Row-unsent:has-text("Written in the tunnel")')
  await send('Sent by others meanwhile')
  proxy.pointTo(Number(new URL(world.nodes.b.url).port))
  await later.evaluate("dispatchEvent(new Event('online'))")

  await later.waitForSelector(rowWith('Sent by others meanwhile'))
  await later.waitForSelector(rowWith('Written in the tunnel'))
  await eventually(async () => (await readStore(later, iris, 'outbox')).length === 0)
  assert.equal(await later.locator('.Row:has-text("Written in the tunnel")').count(), 1)
  await later.close()
})

test('without a server, a view that was never opened is shown with its texts', async () => {
  const page = await site.openTab(context, roses)
  const { files } = JSON.parse(await readFile(join(directoryOfBuild, 'manifest.json'), 'utf8'))
  const assets = Object.keys(files).filter((path) => path.startsWith('assets/'))
  const countStored = () =>
    page.evaluate<number>(`caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((lists) => lists.flat().length)`)
  await eventually(async () => (await countStored()) === assets.length + 1)
  proxy.close()

  await page.evaluate("location.hash = '#settings/bots'")
  await page.waitForSelector('h2:has-text("Your bots")')
  proxy.pointTo(Number(new URL(world.nodes.b.url).port))
  await page.close()
})

test('a new build is offered while the old one continues, and a reload keeps unsent texts', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'oxbow-web-'))
  after(() => rm(directory, { recursive: true }))
  await makeNewerBuild(directory)
  await using node = await startNodeProcess({
    database_url: world.database.url,
    env: { OXBOW_WEB_DIR: directory },
  })
  const page = await site.openTab(context, roses)
  await eventually(() => isControlled(page))
  await page.evaluate('window.marker = 1')
  await page.locator('.Composer .WritingField-text').focus()
  await page.keyboard.insertText('Begun in the old version')
  // Other lines, such as the request to allow notifications, have the same class.
  const offer = page.locator('.UpdateLine', { hasText: 'A new version is ready' })
  assert.equal(await offer.count(), 0)
  // Breaks the event stream, after which the client checks for a new build.
  proxy.pointTo(node.port)

  await offer.waitFor()
  assert.equal(await page.evaluate('window.marker'), 1)
  await offer.getByRole('button').first().click()
  // While a debugger is attached, Chromium may keep the old worker for five minutes.
  const isReloaded = async () => (await page.evaluate('window.marker').catch(() => 1)) === undefined
  await eventually(isReloaded, 360_000)
  await page.waitForSelector('html[data-newer]')
  await eventually(
    async () =>
      (await page.locator('.Composer .WritingField-text').inputValue()) === 'Begun in the old version',
  )
  assert.equal(await offer.count(), 0)
})

test('signing out without a server reports that the user is still signed in, and succeeds when retried', async () => {
  proxy.pointTo(Number(new URL(world.nodes.b.url).port))
  const other = await site.newContext({ viewport: { width: 360, height: 640 } })
  await site.signInTo(other, otto)
  const page = await site.openTab(other)
  proxy.close()
  await page.click('.NavMenus-account')
  await page.click('[role=menuitem]:has-text("Sign out")')
  await page.waitForSelector('.Dialog [role=alert]:has-text("The server does not answer.")')
  assert.equal(await page.innerText('.Dialog-title'), 'You are still signed in')
  await takePicture(page, 'sign-out-failed')
  assert.deepEqual(await findAccessProblems(page, '.Dialog'), [])
  await page.click('.Dialog button:has-text("Stay signed in")')
  await page.waitForSelector('.Dialog', { state: 'detached' })
  assert.equal(await page.evaluate('indexedDB.databases().then(({ length }) => length)'), 1)

  await page.click('.NavMenus-account')
  await page.click('[role=menuitem]:has-text("Sign out")')
  await page.waitForSelector('.Dialog [role=alert]')
  proxy.pointTo(Number(new URL(world.nodes.b.url).port))
  await page.click('.Dialog button:has-text("Try again")')
  await page.waitForURL(/\/login/)
  await other.close()
})

test('if the server does not respond, the user can wait for the sign-out or stay signed in', async () => {
  const other = await site.newContext()
  await site.signInTo(other, otto)
  const page = await site.openTab(other)
  // The request reaches no server and gets no response.
  await page.route('**/api/v1/sessions/current', () => {})
  await page.click('.NavMenus-account')
  await page.click('[role=menuitem]:has-text("Sign out")')
  await page.waitForSelector('.Dialog-title:has-text("Signing out…")')
  await page.click('.Dialog button:has-text("Stay signed in")')
  await page.waitForSelector('.Dialog', { state: 'detached' })
  await page.waitForSelector('.NavMenus')
  await other.close()
})

test('signing out asks for confirmation while a message is unsent', async () => {
  const other = await site.newContext()
  await site.signInTo(other, otto)
  const page = await site.openTab(other, roses)
  await page.waitForSelector(rowWith('Before the train left'))
  await page.route('**/api/v1/messages', (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await write(page, 'Still on the way')
  await page.waitForSelector('.Row-unsent:has-text("Still on the way")')
  await page.click('.NavMenus-account')
  await page.click('[role=menuitem]:has-text("Sign out")')
  await page.waitForSelector('.Dialog:has-text("1 message is not sent yet")')
  await page.click('.Dialog button:has-text("Sign out anyway")')
  await page.waitForURL(/\/login/)
  await other.close()
})

test('signing out removes the service worker and its cached files', async () => {
  proxy.pointTo(Number(new URL(world.nodes.b.url).port))
  const page = await site.openTab(context)
  await page.click('.NavMenus-account')
  await page.click('[role=menuitem]:has-text("Sign out")')
  await page.waitForURL(/\/login/)
  await eventually(
    () => page.evaluate('caches.keys().then(({ length }) => length === 0)') as Promise<boolean>,
  )
  assert.equal(await page.evaluate('indexedDB.databases().then(({ length }) => length)'), 0)
})

test('no script, style or request violates the content security policy', () => {
  const problems = site.problems.filter((problem) => !/ERR_|Failed to fetch/.test(problem))
  assert.deepEqual(problems, [])
})

/** Creates a newer build: a copy with a changed document and service worker. */
async function makeNewerBuild(directory: string): Promise<void> {
  await cp(directoryOfBuild, directory, { recursive: true })
  const change = async (file: string, find: string, replacement: string) => {
    const path = join(directory, file)
    const text = await readFile(path, 'utf8')
    assert.ok(text.includes(find), `${find} in ${file}`)
    await writeFile(path, text.replace(find, replacement))
  }
  await change('index.html', '<html lang="en">', '<html lang="en" data-newer>')
  await change('sw.js', "const build = '", "const build = 'newer")
  const path = join(directory, 'manifest.json')
  const manifest = JSON.parse(await readFile(path, 'utf8'))
  for (const file of ['index.html', 'sw.js'])
    manifest.files[file] = { hash: 'newer', size: (await readFile(join(directory, file))).length }
  await writeFile(path, JSON.stringify({ ...manifest, build: 'newer' }))
}
