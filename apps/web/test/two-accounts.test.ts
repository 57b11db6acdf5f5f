import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, type Person } from '@oxbow/testkit'
import type { BrowserContext, Page } from 'playwright-core'
import { findAccessProblems, goTo, startClientSite, takePicture } from './open-client.ts'
import { readStore, readWholeDevice } from './read-device.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const roses = `#narrow/stream/${garden.stream_id}-garden/topic/roses`
await world.owner.subscriptions.subscribe({ subscriptions: [{ name: garden.name }] })
await world.owner.messages.send({ type: 'stream', to: garden.name, topic: 'roses', content: 'Who prunes?' })

const fieldOf = (page: Page) => page.locator('.Composer .WritingField-text')
const hasEnded = (page: Page) => page.waitForSelector('.SessionEnded')

async function openTrusted(person: Person, options?: { isTrusted?: boolean }) {
  const context = await site.newContext()
  await site.signInTo(context, person, options)
  const page = await openRoses(context)
  return { context, page }
}

async function openRoses(context: BrowserContext): Promise<Page> {
  const page = await site.openTab(context, roses)
  await page.waitForSelector('.Row[data-id]')
  return page
}

/** Writes a message that does not reach the server from any tab until the returned function is called. */
async function writeUnsent(page: Page, text: string): Promise<() => Promise<void>> {
  const isSend = (url: URL) => url.pathname === '/api/v1/messages'
  const context = page.context()
  await context.route(isSend, (route) =>
    route.request().method() === 'POST' ? route.abort() : route.continue(),
  )
  await fieldOf(page).fill(text)
  await fieldOf(page).press('Control+Enter')
  await page.waitForSelector(`.Row-unsent:has-text("${text}")`)
  return () => context.unroute(isSend)
}

/** Returns the senders of the messages with this text. */
async function sendersOf(text: string): Promise<number[]> {
  const { messages } = await world.owner.messages.list({
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'roses' }],
    apply_markdown: false,
  })
  return messages.flatMap(({ content, sender_id }) => (content === text ? [sender_id as number] : []))
}

const isSentBy = (person: Person, text: string) =>
  eventually(async () => (await sendersOf(text)).join() === String(person.user_id))

async function signInOnPage(page: Page, { email, password }: Person, isTrusted = true): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  if (isTrusted) await page.getByLabel('Keep me signed in').check()
  await page.keyboard.press('Enter')
}

test('when another account signs in, all tabs of the first one hide their messages and say what to do', async () => {
  const { context, page } = await openTrusted(iris)
  const second = await openRoses(context)
  await site.signInTo(context, otto)
  for (const tab of [page, second]) {
    await hasEnded(tab)
    await tab.waitForSelector('h1:has-text("Otto Gardener signed in in this browser")')
    assert.match(await tab.innerText('.SessionEnded'), /This page belongs to Iris Gardener/)
    assert.doesNotMatch(await tab.content(), /Who prunes/)
    assert.match(await tab.title(), /^Otto Gardener signed in/)
  }
  await takePicture(page, 'other-account')
  assert.deepEqual(await findAccessProblems(page), [])
  assert.doesNotMatch(await readWholeDevice(page), /Who prunes/)

  await second.click('button:has-text("Continue as Otto Gardener")')
  await second.waitForSelector('.NavMenus')
  assert.ok(await page.isVisible('.SessionEnded'))

  await page.click('a:has-text("Sign in as Iris Gardener")')
  await page.waitForSelector('.Notice:has-text("Another account is signed in")')
  await signInOnPage(page, iris)
  await page.waitForSelector('.Row[data-id]:has-text("Who prunes?")')
  await hasEnded(second)
  await second.waitForSelector('h1:has-text("Iris Gardener signed in in this browser")')
})

test('a page that is shown again after another account signed in shows nothing of the first one', async () => {
  const { context, page } = await openTrusted(iris)
  // The page hears nothing from the server any more.
  await page.route('**/api/v1/**', () => {})
  await site.signInTo(context, otto)
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))")
  await page.waitForSelector('h1:has-text("Another account signed in in this browser")')
  assert.doesNotMatch(await page.content(), /Who prunes/)
})

test('an unsent message is sent when its author signs in again, and never as the other account', async () => {
  const { context, page } = await openTrusted(iris)
  const hidden = await openRoses(context)
  const text = 'Iris prunes them'
  const release = await writeUnsent(page, text)
  await site.signInTo(context, otto)
  await hasEnded(page)
  assert.match(await page.innerText('.SessionEnded'), /1 message that was not sent is kept on this device/)
  await release()
  await hasEnded(hidden)
  await page.evaluate("dispatchEvent(new Event('online'))")
  await hidden.close()
  const ottos = await openRoses(context)
  await page.click('a:has-text("Sign in as Iris Gardener")')
  assert.deepEqual(await sendersOf(text), [])
  assert.deepEqual((await otto.drafts.list()).drafts, [])
  await signInOnPage(page, iris)
  await isSentBy(iris, text)
  await hasEnded(ottos)
})

test('an unsent message waits on a trusted device while other accounts sign in and out', async () => {
  const { context, page } = await openTrusted(iris)
  const text = 'Iris waters them'
  const release = await writeUnsent(page, text)
  await eventually(async () => JSON.stringify(await readStore(page, iris, 'outbox')).includes(text))
  await page.close()
  await release()
  await site.signInTo(context, otto)
  const ottos = await openRoses(context)
  await ottos.click('.NavMenus-account')
  await ottos.click('[role=menuitem]:has-text("Sign out")')
  await ottos.waitForURL(/\/login/)
  const stored = await readWholeDevice(ottos)
  assert.match(stored, /Iris waters them/)
  assert.doesNotMatch(stored, /Who prunes/)
  await signInOnPage(ottos, iris)
  await isSentBy(iris, text)
})

test('an unsent message that is only in memory is sent by its page after its author signed in again', async () => {
  const { context, page } = await openTrusted(iris, { isTrusted: false })
  const text = 'Iris weeds them'
  const release = await writeUnsent(page, text)
  await site.signInTo(context, otto, { isTrusted: false })
  await hasEnded(page)
  assert.match(await page.innerText('.SessionEnded'), /texts that were not sent and are kept nowhere else/)
  await release()
  const opened = context.waitForEvent('page')
  await page.click('a:has-text("Sign in as Iris Gardener")')
  const other = await opened
  await signInOnPage(other, iris, false)
  await isSentBy(iris, text)
  await page.waitForSelector(`.Row[data-id]:has-text("${text}")`)
  assert.deepEqual((await otto.drafts.list()).drafts, [])
})

test('a session that is replaced by another one of the same account keeps its pages open', async () => {
  const { context, page } = await openTrusted(iris)
  await page.evaluate('window.marker = 1')
  await site.signInTo(context, iris)
  await fieldOf(page).fill('Iris is still here')
  await fieldOf(page).press('Control+Enter')
  await page.waitForSelector('.Row[data-id]:has-text("Iris is still here")')
  assert.equal(await page.evaluate('window.marker'), 1)
})

test('every request of the client to the API names its account', async () => {
  const context = await site.newContext()
  await site.signInTo(context, iris)
  const calls = new Map<string, string | undefined>()
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/'))
      calls.set(`${request.method()} ${pathname}`, request.headers()['expected-user-id'])
  })
  const page = await openRoses(context)
  const files = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Roses') }
  await page.setInputFiles('.Composer input[type=file]', files)
  await eventually(async () => (await fieldOf(page).inputValue()).includes('user_uploads'))
  await fieldOf(page).press('Control+Enter')
  await page.waitForSelector('.Row[data-id]:has-text("notes.txt")')
  for (const hash of ['#settings/profile', '#bots', '#recent', '#inbox', '#search/roses', roses])
    await goTo(page, hash)
  await fieldOf(page).fill('A draft')
  await eventually(async () => (await iris.drafts.list()).drafts.length === 0)
  // A hidden page saves its drafts with requests that outlive it.
  await page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }`)
  await eventually(async () => (await iris.drafts.list()).drafts.length > 0)

  for (const call of ['POST /api/v1/user_uploads', 'GET /api/v1/events', 'POST /api/v1/drafts'])
    assert.ok(calls.has(call), `${call} in ${[...calls.keys()]}`)
  for (const [call, named] of calls) assert.equal(named, String(iris.user_id), call)
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
