import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { MessageId, StreamId } from '@oxbow/contract'
import { eventually, type MadeStream, type Person, pngOf } from '@oxbow/testkit'
import { bySize, sampleInGate } from '@oxbow/testkit/size'
import type { Page } from 'playwright-core'
import { hostileMessages, hostileNames } from './hostile-texts.ts'
import { goTo, startClientSite } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, mallory] = [await world.person('iris'), await world.person('mallory', 'administrator')]
const garden = await world.stream('garden', { members: [iris, mallory] })

/** Runs in every page before its scripts. Records calls of `xss` and similar functions by attacks. */
const witness = `window.attacks = []
for (const name of ['xss', 'alert', 'prompt', 'confirm']) window[name] = () => window.attacks.push(name)
addEventListener('securitypolicyviolation', (event) =>
  window.attacks.push(event.violatedDirective + ' ' + event.blockedURI))`

/** Maximum number of streams, and of people, whose conversations are opened. */
const maxOpened = bySize({ gate: 4, long: 12 })

const foreignRequests: string[] = []
const page = await site.openAs(iris)
await page.addInitScript(witness)
page.on('request', (request) => {
  const { origin, protocol } = new URL(request.url())
  if (protocol !== 'data:' && protocol !== 'blob:' && origin !== world.nodes.b.url)
    foreignRequests.push(request.url())
})
page.on('dialog', (dialog) => {
  foreignRequests.push(`dialog ${dialog.message()}`)
  void dialog.dismiss()
})
await page.reload()

const send = (
  topic: string,
  content: string,
  stream: Pick<MadeStream, 'name'> = garden,
  by: Person = mallory,
) => by.messages.send({ type: 'stream', to: stream.name, topic, content })

/**
 * Tries all texts in order, and returns those that the server accepts. Fails if the server refuses a
 * text with a status other than 400.
 */
async function tryAll(
  texts: readonly string[],
  attempt: (text: string) => Promise<unknown>,
): Promise<string[]> {
  const accepted: string[] = []
  for (const text of texts) {
    const error = await attempt(text).then(
      () => undefined,
      (refusal: { status?: number }) => refusal,
    )
    if (!error) accepted.push(text)
    else assert.equal(error.status, 400, `${JSON.stringify(text)}: ${String(error)}`)
  }
  return accepted
}

/** Opens a view of the client at both widths, and lists all problems in it. */
async function findHarm(hash: string): Promise<string[]> {
  await goTo(page, hash)
  const found: string[] = []
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 700 })
    await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    found.push(...(await page.evaluate<string[]>(`(${inspect})(${width})`)))
  }
  return [...found, ...foreignRequests.splice(0), ...site.problems.splice(0)].map(
    (harm) => `${hash}: ${harm}`,
  )
}

/**
 * Runs in the page: lists scripts that ran, forbidden elements and links, and elements that break
 * the layout.
 */
const inspect = `(width) => {
  const harm = window.attacks.splice(0)
  for (const element of document.querySelectorAll('iframe, object, embed, base, frame, link[rel=import], .Body form, .Body style, .Body script'))
    harm.push('has ' + element.outerHTML.slice(0, 200))
  for (const script of document.scripts) if (!script.src.startsWith(location.origin + '/assets/')) harm.push('script ' + script.outerHTML)
  // A URL that cannot be parsed has no protocol and does nothing.
  for (const link of document.querySelectorAll('a[href]'))
    if (!['http:', 'https:', 'mailto:', 'ftp:', 'file:', 'bitcoin:'].includes(link.protocol) && !/^https?:\\/\\//.test(link.getAttribute('href')))
      harm.push('link to ' + link.href)
  for (const element of document.querySelectorAll('body *'))
    for (const { name } of element.attributes) if (name.startsWith('on')) harm.push(name + ' of ' + element.outerHTML.slice(0, 200))
  if (document.documentElement.scrollWidth > width) harm.push('scrolls sideways by ' + (document.documentElement.scrollWidth - width))
  for (const element of document.querySelectorAll('h1, .Composer, .App-nav, .MessageList-scroller, .NavRow')) {
    const box = element.getBoundingClientRect()
    if (box.width > 0 && element.checkVisibility() && (box.left < -1 || box.right > width + 1) && !element.closest('[inert]'))
      harm.push(element.className + ' reaches from ' + box.left + ' to ' + box.right)
  }
  const id = document.getElementById('app')
  if (id?.tagName !== 'DIV') harm.push('#app is ' + id?.outerHTML.slice(0, 100))
  return harm
}`

const hashOf = (topic: string, { stream_id }: { stream_id: StreamId } = garden) =>
  `#narrow/stream/${stream_id}-x/topic/${encodeURIComponent(topic)
    .replace(/[.!~*'()]/g, (each) => `%${each.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll('%', '.')}`

test('hostile messages run no script and do not break the page', async () => {
  const sent = await tryAll(hostileMessages, (text) => send('messages', text))
  assert.ok(sent.length > hostileMessages.length * 0.8, `${sent.length} of ${hostileMessages.length}`)
  assert.deepEqual(await findHarm(hashOf('messages')), [])
  // Rows beyond the screen are added when the list is scrolled to them.
  let edge = 0
  await eventually(async () => {
    edge = 1 - edge
    await page.evaluate(
      `{ const scroller = document.querySelector('.MessageList-scroller'); scroller.scrollTop = ${edge} * scroller.scrollHeight }`,
    )
    return (await page.locator('.Row[data-id]').count()) >= Math.min(sent.length, 100)
  })
  assert.deepEqual(await findHarm(hashOf('messages')), [])
})

test('hostile topics do no harm, and each topic can be opened by its link', async () => {
  const topics = await tryAll(hostileNames(60), (topic) => send(topic, `In ${topic}`))
  assert.ok(topics.length > 4)
  for (const hash of ['', '#inbox', `#narrow/stream/${garden.stream_id}-garden`])
    assert.deepEqual(await findHarm(hash), [])
  for (const topic of topics) {
    assert.deepEqual(await findHarm(hashOf(topic.trim())), [])
    await page.waitForSelector('.Row[data-id]')
  }
})

test('streams with hostile names and descriptions do no harm', async () => {
  const names = await tryAll(hostileNames(60), async (name) => {
    const stream = await world.stream(name, {
      members: [iris, mallory],
      by: mallory,
      description: `${name} ${name}`,
    })
    await send('hello', `#**${name}** and #**${name}>hello**`, stream)
  })
  assert.ok(names.length > 4)
  const { subscriptions } = await iris.subscriptions.list()
  const hostile = subscriptions.filter(({ name }) => names.includes(name))
  for (const { stream_id, name } of sampleInGate(hostile, maxOpened).slice(0, maxOpened)) {
    assert.deepEqual(await findHarm(`#narrow/stream/${stream_id}-x`), [], name)
    assert.deepEqual(await findHarm(hashOf('hello', { stream_id })), [], name)
  }
})

test('people with hostile names and statuses do no harm', async () => {
  const people: Person[] = []
  let guest = await world.person('guest0')
  // The server forbids markup characters in names, so it accepts few of these.
  await tryAll([...hostileNames(90), 'constructor', '__proto__', 'W'.repeat(60)], async (full_name) => {
    await world.owner.users.update({ user_id: guest.user_id, full_name })
    const person = guest
    people.push(person)
    // A guest whose name was refused is used for the next name.
    guest = await world.person(`guest${people.length}`)
    await person.userStatus.set({ status_text: full_name.slice(0, 60) })
  })
  assert.ok(people.length > 2, `${people.length} names`)
  const { user_id: own } = iris
  for (const [index, person] of people.entries()) {
    await person.messages.send({ type: 'private', to: [own], content: `From ${index}` })
    await person.subscriptions.subscribe({ subscriptions: [{ name: garden.name }] })
    const { id } = await send('people', `@**all** from ${index}`, garden, person)
    await person.messages.addReaction({ message_id: id as MessageId, emoji_name: 'tada' })
    await person.typing.tell({ op: 'start', to: [own] })
  }
  assert.deepEqual(await findHarm('#inbox'), [])
  assert.deepEqual(await findHarm(hashOf('people')), [])
  for (const { user_id } of sampleInGate(people, maxOpened).slice(0, maxOpened))
    assert.deepEqual(await findHarm(`#narrow/pm-with/${user_id}-x`), [])
  const all = people.slice(0, 8).map(({ user_id }) => user_id)
  await mallory.messages.send({ type: 'private', to: [own, ...all], content: 'All of us' })
  const everyone = [mallory.user_id, ...all].toSorted((a, b) => a - b)
  assert.deepEqual(await findHarm(`#narrow/pm-with/${everyone.join(',')}-group`), [])
})

test('files, polls, emoji and groups with hostile names do no harm', async () => {
  const accepted = await tryAll(hostileNames(60), async (name) => {
    const { uri } = await mallory.uploads.upload({ files: [{ name: `${name}.png`, bytes: pngOf(20, 20) }] })
    await send('files', `[${name}](${uri})`)
    await send('polls', `/poll ${name}\n${name}\n${name} again`)
    await send('polls', `/todo ${name}`)
  })
  await tryAll(hostileNames(30), (emoji_name) =>
    mallory.emoji.upload({ emoji_name, files: [{ name: `${emoji_name}.png`, bytes: pngOf(20, 20) }] }),
  )
  await tryAll(hostileNames(60), async (name) => {
    await mallory.userGroups.create({ name, description: name, members: [iris.user_id] })
    await send('groups', `@*${name}*`)
  })
  assert.ok(accepted.length > 4)
  for (const topic of ['files', 'polls', 'groups']) assert.deepEqual(await findHarm(hashOf(topic)), [])
})

test('hostile texts in the composer do no harm, neither in the preview nor in suggestions', async () => {
  await findHarm(hashOf('people'))
  await page.setViewportSize({ width: 1280, height: 700 })
  const field = page.locator('.Composer .WritingField-text')
  await field.focus()
  for (const typed of ['@a', '@<', '#g', '#<', ':t']) {
    await field.fill('')
    await page.keyboard.type(typed)
    await settle(page)
    assert.deepEqual(await page.evaluate(`(${inspect})(1280)`), [])
  }
  await field.fill('')
  await field.focus()
  await page.keyboard.press('Alt+p')
  await page.waitForSelector('.Preview')
  for (const text of hostileMessages.filter((each) => each.trim() !== '')) {
    await field.fill(`${text}\n\nEND${text.length}`)
    // The preview shows no HTML that is too long.
    await page.waitForSelector(`.Preview:has-text("END${text.length}"), .Preview-empty`)
    assert.deepEqual(await page.evaluate(`(${inspect})(1280)`), [], text)
  }
  assert.deepEqual([...foreignRequests, ...site.problems], [])
})

test('drafts with hostile texts do no harm', async () => {
  // NUL is removed, because the server refuses it.
  const texts = hostileNames(60).map((text) => text.replaceAll('\0', '').trim() || 'x')
  await iris.drafts.create({
    drafts: texts.map((content, index) => ({
      type: 'stream',
      to: [garden.stream_id],
      topic: content.slice(0, 60).trim(),
      content,
      timestamp: 1_700_000_000 + index,
    })),
  })
  assert.deepEqual(await findHarm('#drafts'), [])
})

test('no link of a sign-in page leads to another site or to a script', async () => {
  const other = await site.newContext()
  const visitor = await other.newPage()
  const targets = [
    'javascript:xss()',
    '//evil.example',
    '/\\evil.example',
    'https://evil.example',
    'data:text/html,x',
  ]
  for (const next of sampleInGate(targets, 2)) {
    await visitor.goto(`${world.nodes.b.url}/login?next=${encodeURIComponent(next)}`)
    await visitor.fill('input[name=username]', iris.email)
    await visitor.fill('input[name=password]', iris.password)
    await visitor.click('.Page-form button')
    await visitor.waitForSelector('.App')
    assert.equal(new URL(visitor.url()).origin, world.nodes.b.url, next)
    await other.clearCookies()
  }
  await other.close()
})

const settle = (shown: Page): Promise<void> =>
  shown.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
