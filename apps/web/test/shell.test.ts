import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { applyLook, findAccessProblems, looks, startClientSite, takePicture } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto, fern] = [
  await world.person('iris'),
  await world.person('otto'),
  await world.person('fern'),
]
const garden = await world.stream('garden', { members: [iris, otto, fern] })
const coreTeam = await world.stream('core team', { members: [iris, otto], invite_only: true })
const news = await world.stream('news', { members: [iris, otto] })

const send = (stream: { name: string }, topic: string, content: string) =>
  otto.messages.send({ type: 'stream', to: stream.name, topic, content })
await send(garden, 'roses', 'Pruned the south wall today.')
await send(garden, 'roses', `@**Iris Gardener** will they flower in June?`)
await send(garden, 'compost', `The left bin is full. ${'It smells. '.repeat(20)}`)
await send(coreTeam, 'budget 2027', 'Numbers are in.')
await otto.messages.send({ type: 'private', to: [iris.user_id], content: 'Can you bring the ladder?' })
await fern.messages.send({ type: 'private', to: [iris.user_id, otto.user_id], content: 'Tea at four?' })

const page = await site.openAs(iris)

test('the client shows the organization, its streams and unread counts', async () => {
  assert.match(await page.innerText('.NavMenus-organization'), /The Garden/)
  // The client fetches the names of people after its first screen.
  await page.waitForSelector('.App-nav .NavRow:has-text("Otto Gardener")')
  await page.waitForSelector('.Inbox-row:has-text("Otto Gardener")')
  const nav = await page.innerText('.App-nav')
  for (const name of ['Inbox', 'Mentions', 'garden', 'core team', 'news', 'Otto Gardener'])
    assert.ok(nav.includes(name), `${name} in ${nav}`)
  const inbox = await page.innerText('.Inbox')
  for (const text of ['roses', 'compost', 'budget 2027', 'Otto Gardener', '2 new'])
    assert.ok(inbox.includes(text), `${text} in ${inbox}`)
  assert.equal(await page.title(), '(6) Inbox – The Garden')
})

test('rows of the Inbox show the beginning of the newest message', async () => {
  const about = async (row: string) => {
    const text = await page.locator('.Inbox-row', { hasText: row }).locator('.Inbox-about').innerText()
    return text.replaceAll(/\s+/g, ' ')
  }
  await eventually(async () => (await about('roses')).endsWith('@Iris Gardener will they flower in June?'))
  assert.match(await about('compost'), /^Otto Gardener · The left bin is full\. It smells/)
  assert.equal(await about('Fern Gardener'), 'Tea at four?')
  const heights = await page.evaluate<number[]>(
    "[...new Set([...document.querySelectorAll('.Inbox-row')].map((row) => row.offsetHeight))]",
  )
  assert.equal(heights.length, 1, heights.join())
  const counts = page.locator('.Inbox-new')
  for (const box of await Promise.all((await counts.all()).map((count) => count.boundingBox())))
    assert.ok(box && box.x + box.width <= (page.viewportSize()?.width ?? 0))
})

test('messages that arrive appear in the Inbox without a reload', async () => {
  await page.evaluate('window.marker = 1')
  await send(news, 'spring fair', 'On the first of May.')
  await page.waitForSelector('.Inbox-row:has-text("spring fair")')
  await iris.messages.markAllRead()
  await page.waitForSelector('.Empty-title')
  await send(garden, 'roses', 'A new bud.')
  await page.waitForSelector('.Inbox-row:has-text("roses")')
  assert.equal(await page.evaluate('window.marker'), 1)
})

test('navigation links open views, and going back returns', async () => {
  await page.click('.NavStream .NavRow:has-text("garden")')
  await eventually(async () => /#narrow\/stream\/\d+-garden$/.test(page.url()))
  assert.equal(await page.locator('.NavRow[aria-current=page]').count(), 1)
  await page.goBack()
  await page.waitForSelector('.Inbox')
})

test('an unknown link shows the Inbox with a note that quotes the link', async () => {
  await page.evaluate("location.hash = '#nowhere/to/go'")
  await page.waitForSelector('.Notice')
  assert.match(await page.innerText('.Notice'), /#nowhere\/to\/go/)
  await page.evaluate("location.hash = ''")
})

test('the menu works by keyboard, and Esc returns the focus to its button', async () => {
  await page.focus('.NavMenus-organization')
  await page.keyboard.press('Enter')
  const focused = () => page.evaluate('document.activeElement.innerText.trim()')
  await eventually(async () => (await focused()) === 'Invite people')
  await page.keyboard.press('ArrowDown')
  assert.notEqual(await focused(), 'Invite people')
  await page.keyboard.press('End')
  assert.equal(await focused(), 'Another organization')
  await page.keyboard.press('Home')
  assert.equal(await focused(), 'Invite people')
  await page.keyboard.press('a')
  assert.equal(await focused(), 'Another organization')
  await page.keyboard.press('Escape')
  assert.equal(await page.evaluate('document.activeElement.className'), 'NavMenus-organization')
})

test('a view waits for its texts, and its pane shows an error if they cannot be loaded', async () => {
  const other = await site.openAs(iris)
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await other.route(/assets\/en-later/, async (request) => {
    await held
    await request.abort()
  })
  const loaded = other.waitForResponse(/assets\/People-.*\.js/)
  await other.evaluate("location.hash = '#people'")
  await (await loaded).finished()
  await other.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  assert.equal(await other.locator('.App-view').innerText(), '')
  release()
  await other.waitForSelector('.App-view .ErrorBoundary')
  assert.match(await other.innerText('.App-nav'), /Inbox/)
  await other.unroute(/assets\/en-later/)
  await other.click('.ErrorBoundary button')
  await other.waitForSelector('h1:has-text("People")')
})

test('no link of the nav and its menus leads to a view that the client does not have', async () => {
  const listLinks = '[...document.querySelectorAll(\'a[href^="#"]\')].map((link) => link.hash)'
  const hashes = (await page.evaluate(listLinks)) as string[]
  assert.ok(hashes.length > 4)
  for (const hash of new Set(hashes)) {
    await page.evaluate(`location.hash = ${JSON.stringify(hash)}`)
    await page.waitForSelector('h1')
    assert.notEqual(await page.innerText('h1'), 'Not here yet', hash)
  }
  await page.evaluate("location.hash = ''")
  await page.waitForSelector('h1:has-text("Inbox")')
})

test('Ctrl F6 moves the focus through the regions of the page', async () => {
  await page.focus('.NavMenus-organization')
  const region = () =>
    page.evaluate("document.activeElement.closest('[data-region]')?.dataset.region") as Promise<string>
  const visited: string[] = []
  for (const keys of ['Control+F6', 'Control+F6', 'Control+F6', 'Control+Shift+F6']) {
    await page.keyboard.press(keys)
    visited.push(await region())
  }
  assert.deepEqual(visited, ['header', 'main', 'nav', 'main'])
})

test('a view without a side pane never shows the button of the view before, which could have the focus', async () => {
  await page.click('.App-nav .NavRow:has-text("Otto Gardener")')
  await page.waitForSelector('.ViewFrame-actions [aria-label="Show details"]')
  const countButtons = `new Promise((resolve) => {
    const channel = new MessageChannel()
    channel.port1.onmessage = () => resolve(document.querySelectorAll('.ViewFrame-actions button').length)
    new MutationObserver(() => {
      if (document.querySelector('h1').innerText === 'Inbox') channel.port2.postMessage('after this rendering')
    }).observe(document.body, { subtree: true, childList: true, characterData: true })
    location.hash = ''
  })`
  assert.equal(await page.evaluate(countButtons), 0)
})

for (const [name, look] of Object.entries(looks))
  test(`the shell is accessible and fits the browser window: ${name}`, async () => {
    await applyLook(page, look)
    const isMirrored = name === 'right to left'
    for (const width of bySize({ gate: isMirrored ? [360] : [1440], long: [1440, 800, 360] })) {
      await page.setViewportSize({ width, height: 700 })
      await takePicture(page, `shell-${name}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `${width}`)
    }
  })

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})

test('a session that ended elsewhere hides the screen and offers to sign in again', async () => {
  const other = await site.openAs(fern)
  await other.waitForSelector('.NavMenus')
  const { sessions } = await fern.sessions.list()
  for (const { id } of sessions) await fern.sessions.end({ session_id: id })
  await other.waitForSelector('.SessionEnded')
  assert.match(await other.innerText('.SessionEnded'), /You are signed out/)
  assert.equal(await other.locator('.NavMenus').count(), 0)
  await other.click('a:has-text("Sign in")')
  await other.waitForURL(/\/login\?next=/)
})

test('a page opened without a session redirects to the sign-in page', async () => {
  const other = await site.openAs(otto)
  await other.context().clearCookies()
  await other.reload()
  await other.waitForURL(/\/login\?next=/)
})
