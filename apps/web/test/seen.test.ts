import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually } from '@oxbow/testkit'
import { startClientSite } from './open-client.ts'

const site = await startClientSite()
after(() => site[Symbol.asyncDispose]())
const { world } = site
const [iris, otto] = [await world.person('iris'), await world.person('otto')]
const garden = await world.stream('garden', { members: [iris, otto] })
const hash = `#narrow/stream/${garden.stream_id}-garden/topic/roses`

const sent: number[] = []
for (let count = 0; count < 90; count++)
  sent.push(
    (
      await otto.messages.send({
        type: 'stream',
        to: garden.name,
        topic: 'roses',
        content: `Rose ${count}. ${'It needs water and light. '.repeat(count % 7)}`,
      })
    ).id,
  )

interface Watched {
  /**
   * For each message, the first and the last frame with it in view, and the next frame, until which it was still
   * on the screen.
   */
  shown: Record<string, { from: number; to: number; until: number }[]>
  /** The time at which each message was marked as read. */
  marked: Record<string, number>
}

/**
 * Records in each frame which messages have their end in view, and which ones the client marks as
 * read.
 */
const watch = `
  const watched = { shown: {}, marked: {} }
  Object.assign(window, { watched })
  let before = new Set()
  const look = () => {
    requestAnimationFrame(look)
    const scroller = document.querySelector('.MessageList-scroller')
    const { top = 0, bottom = 0 } = scroller?.getBoundingClientRect() ?? {}
    const now = Date.now()
    const inView = new Set()
    for (const row of document.querySelectorAll('.Row[data-id]')) {
      const end = row.getBoundingClientRect().bottom
      if (end <= top + 1 || end > bottom + 1) continue
      const { id } = row.dataset
      inView.add(id)
      const stays = (watched.shown[id] ??= [])
      if (before.has(id)) Object.assign(stays.at(-1), { to: now, until: now })
      else stays.push({ from: now, to: now, until: now })
    }
    for (const id of before) if (!inView.has(id)) watched.shown[id].at(-1).until = now
    before = inView
  }
  requestAnimationFrame(look)
  const { fetch } = window
  window.fetch = (input, init) => {
    const body = new URLSearchParams(String(init?.body ?? ''))
    if (String(input).includes('messages/flags') && body.get('flag') === 'read')
      for (const id of JSON.parse(body.get('messages') ?? '[]')) watched.marked[id] ??= Date.now()
    return fetch(input, init)
  }
`

async function listReadIds(): Promise<number[]> {
  const { messages } = await iris.messages.list({
    anchor: 'newest',
    num_before: 200,
    num_after: 0,
    narrow: [{ operator: 'topic', operand: 'roses', negated: false }],
  })
  return messages.filter(({ flags }) => flags.includes('read')).map(({ id }) => id)
}

test('messages are marked as read only after they were on the screen for 400 ms', async () => {
  const context = await site.newContext({ viewport: { width: 1000, height: 500 } })
  await context.addInitScript(watch)
  await site.signInTo(context, iris)
  const page = await site.openTab(context, hash)
  await page.waitForSelector(`.Row[data-id="${sent[0]}"]`)
  await page.mouse.move(500, 250)

  // Scrolls fast to the end and back up, then rests in the middle.
  const atEnd = () => page.evaluate(`document.querySelector('.Row[data-id="${sent.at(-1)}"]') !== null`)
  for (let turn = 0; turn < 200 && !(await atEnd()); turn++) await page.mouse.wheel(0, 400)
  for (let turn = 0; turn < 8; turn++) await page.mouse.wheel(0, -350)
  const readWatched = async () => (await page.evaluate('window.watched')) as Watched
  await eventually(async () => Object.keys((await readWatched()).marked).length > 0)
  // Marks are sent in groups, so the marks of the last rows arrive a moment later.
  await eventually(async () => {
    const { shown, marked } = await readWatched()
    const longSeen = Object.entries(shown).filter(([, stays]) =>
      stays.some(({ from, to }) => to - from > 3_000),
    )
    return longSeen.length > 0 && longSeen.every(([id]) => marked[id] !== undefined)
  })

  const { shown, marked } = await readWatched()
  for (const [id, at] of Object.entries(marked)) {
    const shownMs = Math.max(...(shown[id] ?? []).map(({ from, until }) => Math.min(until, at) - from))
    // The client may start timing one frame after the frame that is measured here.
    assert.ok(shownMs >= 380, `message ${id} was on the screen for ${shownMs} ms`)
  }
  const read = await listReadIds()
  assert.deepEqual(
    read.filter((id) => marked[id] === undefined),
    [],
  )
  const passed = sent.filter((id) => !(shown[id] ?? []).some(({ from, until }) => until - from >= 350))
  assert.deepEqual(
    passed.filter((id) => read.includes(id)),
    [],
  )
})

test('mentions that were looked at in their list are marked as read, and the list opens at the first of them', async () => {
  const mention = async (content: string) =>
    (await otto.messages.send({ type: 'stream', to: garden.name, topic: 'tulips', content })).id
  for (let count = 0; count < 30; count++) await mention(`Earlier ${count}: @**Iris Gardener**`)
  await iris.messages.markAllRead()
  const beside = await mention('Nobody is mentioned here.')
  const unread = [await mention('@**Iris Gardener** which colour?'), await mention('@**all** look')]
  const flagsOf = async (id: number) => {
    const { messages } = await iris.messages.list({ anchor: String(id), num_before: 0, num_after: 0 })
    return messages[0]?.flags ?? []
  }
  const page = await site.openAs(iris, '#narrow/is/mentioned')
  await page.waitForSelector(`.UnreadLine + .Row[data-id="${unread[0]}"]`)
  await page.mouse.move(500, 250)
  for (const id of unread) await eventually(async () => (await flagsOf(id)).includes('read'))
  assert.equal((await flagsOf(beside)).includes('read'), false)
  await page.waitForSelector('.NavRow[aria-current]:not(:has(.Count))')
})

test('no script, style or request violates the content security policy', () => {
  assert.deepEqual(site.problems, [])
})
