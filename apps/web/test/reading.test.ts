import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { xssVectors } from '@oxbow/markdown/attacks'
import { eventually } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
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
const [iris, otto, fern] = [
  await world.person('iris'),
  await world.person('otto'),
  await world.person('fern'),
]
const garden = await world.stream('garden', { members: [iris, otto, fern] })

const kitchen = await world.stream('kitchen', { members: [iris, otto] })

async function send(topic: string, content: string, stream = garden): Promise<number> {
  const { id } = await otto.messages.send({ type: 'stream', to: stream.name, topic, content })
  return id
}

/** Sends messages, several at a time. Returns their ids in ascending order. */
async function sendAll(topic: string, texts: readonly string[]): Promise<number[]> {
  const ids: number[] = []
  for (let start = 0; start < texts.length; start += 10)
    ids.push(...(await Promise.all(texts.slice(start, start + 10).map((text) => send(topic, text)))))
  return ids.sort((a, b) => a - b)
}

const listTexts = (count: number) =>
  Array.from({ length: count }, (_, index) => `Report ${index + 1}. ${'It rained. '.repeat(index % 7)}`)

const hashOf = (topic: string, more = '', { stream_id, name } = garden) =>
  `#narrow/stream/${stream_id}-${name}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}${more}`

const messageCount = bySize({ gate: 310, long: 1_500 })
const history = await sendAll('weather', listTexts(messageCount))
const moved = await send('elsewhere', 'This belongs to the weather.')
const later = [await send('weather', 'The last but one.'), await send('weather', 'The last one.')]
await iris.messages.markAllRead()

/** The id and position of the first visible row of a list, and the ids of all rows. */
interface ListFacts {
  id: number
  top: number
  ids: number[]
  fromBottom: number
}

const readList = (page: Page): Promise<ListFacts> =>
  page.evaluate(`(() => {
    const scroller = document.querySelector('.MessageList-scroller')
    const { top } = scroller.getBoundingClientRect()
    const rows = [...scroller.querySelectorAll('[data-id]')]
    const first = rows.find((row) => row.getBoundingClientRect().bottom > top + 1)
    return {
      id: Number(first.dataset.id),
      top: first.getBoundingClientRect().top - top,
      ids: rows.map((row) => Number(row.dataset.id)),
      fromBottom: scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight,
    }
  })()`)

const topOf = (page: Page, id: number): Promise<number> =>
  page.evaluate(`document.querySelector('[data-id="${id}"]').getBoundingClientRect().top
    - document.querySelector('.MessageList-scroller').getBoundingClientRect().top`)

/** Scrolls, and returns after the page has handled the event. */
const scrollTo = (page: Page, top: number): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    document.querySelector('.MessageList-scroller').scrollTop = ${top}
    requestAnimationFrame(() => requestAnimationFrame(done))
  })`)

/** Waits until the page has painted twice, so that all changes are measured. */
const settle = (page: Page): Promise<void> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')

const page = await site.openAs(iris, hashOf('weather'))
await page.waitForSelector('.Row')

test('a conversation without unread messages opens at its end', async () => {
  const { ids, fromBottom } = await readList(page)
  assert.equal(ids.at(-1), later.at(-1))
  assert.ok(fromBottom <= 1, `${fromBottom} px from the end`)
})

test('the first visible row does not move while older rows are inserted above it', async () => {
  const seen = new Set<number>()
  for (let step = 0; !seen.has(history[0] ?? 0); step++) {
    assert.ok(step < messageCount, 'the first message is reached')
    const before = await readList(page)
    for (const id of before.ids) seen.add(id)
    assert.ok(before.ids.length <= 400, `${before.ids.length} rows`)
    await page.evaluate(`document.querySelector('.MessageList-scroller').scrollTop = 120`)
    const [id, top] = await page.evaluate<[number, number]>(`(() => {
      const scroller = document.querySelector('.MessageList-scroller')
      const edge = scroller.getBoundingClientRect().top
      const row = [...scroller.querySelectorAll('[data-id]')].find((each) => each.getBoundingClientRect().bottom > edge + 1)
      return [Number(row.dataset.id), row.getBoundingClientRect().top - edge]
    })()`)
    const hasOlder = before.ids[0] !== history[0]
    await eventually(async () => !hasOlder || ((await readList(page)).ids[0] ?? 0) < (before.ids[0] ?? 0))
    await settle(page)
    const moved = (await topOf(page, id)) - top
    assert.ok(Math.abs(moved) <= 1, `row ${id} moved by ${moved} px in step ${step}`)
    for (const each of (await readList(page)).ids) seen.add(each)
  }
})

test('the first visible row does not move while rows above it grow, appear and disappear', async () => {
  await scrollTo(page, 4_000)
  const { id, top, ids } = await readList(page)
  const above = ids.filter((each) => each < id)
  const [grown = 0, deleted = 0] = [above.at(-2), above.at(-4)]
  const check = async (change: string) => {
    await settle(page)
    const moved = (await topOf(page, id)) - top
    assert.ok(Math.abs(moved) <= 1, `row ${id} moved by ${moved} px when a row above ${change}`)
  }
  await otto.messages.edit({ message_id: grown as never, content: `GROWN\n\n${'line\n\n'.repeat(30)}` })
  await page.waitForSelector(`[data-id="${grown}"]:has-text("GROWN")`)
  await check('grew')
  await world.owner.messages.remove({ message_id: deleted as never })
  await page.waitForSelector(`[data-id="${deleted}"]`, { state: 'detached' })
  await check('was deleted')
  await page.evaluate(`document.querySelector('[data-id="${above.at(-3)}"] .Body').style.height = '900px'`)
  await check('grew late')
})

test('a message that is moved into the conversation appears in order', async () => {
  await page.keyboard.press('End')
  await eventually(async () => (await readList(page)).ids.at(-1) === later.at(-1))
  await otto.messages.edit({ message_id: moved as never, topic: 'weather' })
  await page.waitForSelector(`[data-id="${moved}"]`)
  const { ids } = await readList(page)
  assert.deepEqual(ids.slice(-3), [moved, ...later])
})

test('a list that is scrolled to its end shows a new message and stays at its end', async () => {
  await page.keyboard.press('End')
  await eventually(async () => (await readList(page)).fromBottom <= 1)
  const id = await send('weather', 'The sun came out.')
  await page.waitForSelector(`[data-id="${id}"]`)
  await eventually(async () => (await readList(page)).fromBottom <= 1)
})

test('a new message does not scroll a list that is not at its end, and a button scrolls to it', async () => {
  await scrollTo(page, 300)
  const { id, top } = await readList(page)
  const arrived = await send('weather', 'And went again.')
  await page.waitForSelector('.MessageList-pill:has-text("1 new message")')
  assert.ok(Math.abs((await topOf(page, id)) - top) <= 1)
  await page.click('.MessageList-pill')
  await page.waitForSelector(`[data-id="${arrived}"]`)
  await eventually(async () => (await readList(page)).fromBottom <= 1)
})

test('arrows move the focus between messages', async () => {
  const focused = () =>
    page.evaluate("Number(document.activeElement.closest('[data-id]')?.dataset.id)") as Promise<number>
  await page.focus('[data-id] article[tabindex="0"]')
  const last = await focused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('k')
  const { ids } = await readList(page)
  assert.equal(await focused(), ids[ids.indexOf(last) - 2])
  await page.keyboard.press('j')
  assert.equal(await focused(), ids[ids.indexOf(last) - 1])
})

test('a long time of a message does not cover its text', async () => {
  const measure = `(() => {
    const row = [...document.querySelectorAll('.Row:not([data-head]) .Row-message')].at(-1)
    const time = document.createRange()
    row.querySelector('.Row-time').textContent = '12:59 PM'
    time.selectNodeContents(row.querySelector('.Row-time'))
    const { left, right } = time.getBoundingClientRect()
    const textLeft = row.querySelector('.Row-content').getBoundingClientRect().left
    return { rowLeft: row.getBoundingClientRect().left, left, right, textLeft }
  })()`
  for (const density of ['', 'compact']) {
    await page.evaluate(`document.documentElement.dataset.density = '${density}'`)
    const { rowLeft, left, right, textLeft } = (await page.evaluate(measure)) as Record<
      'rowLeft' | 'left' | 'right' | 'textLeft',
      number
    >
    assert.ok(rowLeft < left && right < textLeft, JSON.stringify({ density, rowLeft, left, right, textLeft }))
  }
  await page.evaluate('delete document.documentElement.dataset.density')
})

const unread = await sendAll('news of the day', listTexts(60))
const listReadIds = async (): Promise<number[]> => {
  const { messages } = await iris.messages.list({
    narrow: [
      { operator: 'stream', operand: garden.stream_id, negated: false },
      { operator: 'topic', operand: 'news of the day', negated: false },
    ],
    anchor: 'newest',
    num_before: 100,
    num_after: 0,
  })
  return messages.filter(({ flags }) => flags.includes('read')).map(({ id }) => id)
}

test('n opens the next unread topic at its first unread message, and marks only visible messages as read', async () => {
  await page.evaluate('document.activeElement.blur()')
  await page.keyboard.press('n')
  await page.waitForSelector(`.UnreadLine + [data-id="${unread[0]}"]`)
  await settle(page)
  const inView = await page.evaluate<number[]>(`(() => {
    const { bottom } = document.querySelector('.MessageList-scroller').getBoundingClientRect()
    return [...document.querySelectorAll('[data-id]')]
      .filter((row) => row.getBoundingClientRect().bottom <= bottom + 1)
      .map((row) => Number(row.dataset.id))
  })()`)
  assert.ok(inView.length > 3 && inView.length < unread.length, `${inView.length} in view`)
  await eventually(async () => (await listReadIds()).length >= inView.length)
  assert.deepEqual(await listReadIds(), inView)
})

test('a link to a message opens at the message and marks nothing as read', async () => {
  const target = unread[30] ?? 0
  const before = (await listReadIds()).length
  const other = await site.openAs(iris, hashOf('news of the day', `/near/${target}`))
  await other.waitForSelector(`[data-id="${target}"][data-marked]`)
  const height = await other.evaluate<number>("document.querySelector('.MessageList-scroller').clientHeight")
  const top = await topOf(other, target)
  assert.ok(Math.abs(top - height * 0.3) <= 1, `${top} px from the top of ${height} px`)
  assert.equal((await listReadIds()).length, before)
  await other.context().close()
})

test('a conversation of very large messages, of which few fit into a page, can be read and linked like others', async () => {
  const ids = await sendAll('large', listTexts(18))
  // Lists of actions that no widget shows: seven such messages fill a response.
  await world.database.query(
    `insert into submessage (organization_id, message_id, sender_id, msg_type, content)
     select organization_id, id, sender_id, 'other', repeat('1', 9900)
     from message, generate_series(1, 100) where id = any($1)`,
    [ids],
  )
  const other = await site.openAs(iris, hashOf('large'))
  await other.waitForSelector(`[data-id="${ids.at(-1)}"]`)
  await eventually(async () => {
    await scrollTo(other, 0)
    return (await readList(other)).ids[0] === ids[0]
  })
  const requests = await other.evaluate<string[]>(
    "performance.getEntriesByType('resource').map(({ name }) => name)",
  )
  const pages = requests.filter((url) => url.includes('/api/v1/messages?'))
  assert.ok(pages.length >= 2, requests.join('\n'))
  await other.context().close()

  const linked = await site.openAs(iris, hashOf('large', `/near/${ids[9]}`))
  await linked.waitForSelector(`[data-id="${ids[9]}"][data-marked]`)
  await eventually(async () => {
    await scrollTo(linked, 0)
    const shown = (await readList(linked)).ids
    await scrollTo(linked, 1e6)
    return shown[0] === ids[0] && (await readList(linked)).ids.at(-1) === ids.at(-1)
  })
  assert.deepEqual((await readList(linked)).ids, ids)
  await linked.context().close()
})

test('arrows move the focus past previews of videos', async () => {
  const ids = await sendAll('videos', ['One.', 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', 'Three.'])
  const videos = await site.openAs(iris, hashOf('videos'))
  await videos.waitForSelector('.Row .youtube-video [data-id]')
  await videos.focus('.Row article[tabindex="0"]')
  for (const id of ids.toReversed()) {
    const focused = "Number(document.activeElement.closest('.Row').dataset.id)"
    assert.equal(await videos.evaluate(focused), id)
    await videos.keyboard.press('ArrowUp')
  }
  await videos.close()
})

test('going back restores the earlier scroll position', async () => {
  await page.evaluate(`location.hash = '${hashOf('weather')}'`)
  await page.waitForSelector(`[data-id="${later[0]}"]`)
  await scrollTo(page, 700)
  await eventually(() => page.evaluate('Boolean(history.state?.scroll)'))
  const { id, top } = await readList(page)
  await page.evaluate("location.hash = '#inbox'")
  await page.waitForSelector('.Inbox, .Empty')
  await page.goBack()
  await page.waitForSelector(`[data-id="${id}"]`)
  await settle(page)
  assert.ok(Math.abs((await topOf(page, id)) - top) <= 1)
})

test('a link that is opened right after scrolling opens at its message, even if the messages load slowly', async () => {
  const target = history[40] as number
  const other = await site.openAs(iris, hashOf('weather'))
  await other.waitForSelector(`[data-id="${later.at(-1)}"]`)
  // The delay is longer than the time after which a scroll position is saved.
  await other.route(/\/api\/v1\/messages\?/, async (route) => {
    await setTimeout(600)
    await route.continue()
  })
  const from = await other.evaluate('document.querySelector(".MessageList-scroller").scrollTop')
  await scrollTo(other, (from as number) - 300)
  await other.evaluate(`location.hash = '${hashOf('weather', `/near/${target}`)}'`)
  await other.waitForSelector(`[data-id="${target}"][data-marked]`)
  const height = await other.evaluate<number>("document.querySelector('.MessageList-scroller').clientHeight")
  assert.ok(Math.abs((await topOf(other, target)) - height * 0.3) <= 1)
  await other.context().close()
})

test('messages that cannot be fetched say what does not answer and what to do', async () => {
  await send('unreachable', 'Here again.')
  const path = /\/api\/v1\/messages\?/
  await page.route(path, (route) => route.abort())
  await page.evaluate(`location.hash = '${hashOf('unreachable')}'`)
  await page.waitForSelector('.Empty-title:has-text("The messages could not be loaded.")')
  assert.match(
    await page.innerText('.Empty'),
    /The server does not answer\. Check your connection and try again\./,
  )
  for (const width of [360, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    await takePicture(page, `reading-unreachable-${width}`)
  }
  await page.unroute(path)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForSelector('.Row:has-text("Here again.")')
})

test('attack-corpus messages run no script when they are shown', async () => {
  const attacks = xssVectors.filter((_, index) => index % bySize({ gate: 12, long: 1 }) === 0)
  const sent = await Promise.allSettled(attacks.map((attack) => send('attacks', attack)))
  const accepted = sent.filter(({ status }) => status === 'fulfilled').length
  assert.ok(accepted > attacks.length / 2, `${accepted} of ${attacks.length} attacks are messages`)
  const victim = await site.openAs(fern)
  await victim.evaluate('window.xss = () => { window.attacked = true }')
  await victim.evaluate(`location.hash = '${hashOf('attacks')}'`)
  await victim.waitForSelector('.Row .Body')
  await eventually(async () => (await readList(victim)).ids.length === accepted)
  await settle(victim)
  assert.equal(await victim.evaluate('window.attacked'), undefined)
  await victim.context().close()
})

for (const name of ['light', 'dark'] as const)
  test(`lists of messages are accessible and fit the browser window: ${name}`, async () => {
    await send('links', '**Bold** `code` [link](https://example.com) @**Iris Gardener** :tada:', kitchen)
    const forms =
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n```ts\nconst a = 1\n```\n\n```spoiler Why\nBecause.\n```'
    await send('forms', forms, kitchen)
    await applyLook(page, looks[name])
    await page.evaluate(`location.hash = '#narrow/stream/${kitchen.stream_id}-kitchen'`)
    await page.waitForSelector('.Bar')
    for (const { width, height } of windowsFor(name)) {
      await page.setViewportSize({ width, height })
      await settle(page)
      await takePicture(page, `reading-${name}-${width}`)
      assert.deepEqual(await findAccessProblems(page), [], `${width}`)
    }
  })

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
