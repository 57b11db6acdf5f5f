import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Client } from '@oxbow/sdk'
import { eventually, type MadeStream } from '@oxbow/testkit'
import type { Page, Request } from 'playwright-core'

/** A page of the client, with the data needed to compare it with the server. */
export interface WatchedPage {
  readonly name: string
  readonly page: Page
  /** Client of a working node, with the page's account, to fetch the expected content. */
  readonly account: Client
  /** Paths that the page has requested since it was watched. */
  readonly requests: string[]
  /** Log of the requests for events, with times and results, to explain a long pause. */
  readonly eventCalls: string[]
  /** Times of successful responses to requests for events, by `performance.now`. */
  readonly eventAnswers: number[]
}

/** A topic that pages show. */
export interface ShownTopic {
  readonly stream: MadeStream
  readonly topic: string
  /** Reads the ids of its messages from the database, in ascending order. */
  listStored(): Promise<number[]>
}

/** Waits until a page shows messages, and starts to watch it. Sets a marker, which a reload removes. */
export async function watchPage(name: string, page: Page, account: Client): Promise<WatchedPage> {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname.replace('/api/v1/', '')))
  const eventCalls: string[] = []
  const noteCall = (request: Request, what: string) => {
    if (/\/events(\?|$)/.test(request.url())) eventCalls.push(`${Math.round(performance.now())}: ${what}`)
  }
  const eventAnswers: number[] = []
  page.on('response', (response) => {
    if (/\/events(\?|$)/.test(response.url()) && response.ok()) eventAnswers.push(performance.now())
  })
  page.on('request', (request) => noteCall(request, request.headers().accept ?? ''))
  page.on('response', (response) => noteCall(response.request(), String(response.status())))
  page.on('requestfailed', (request) => noteCall(request, request.failure()?.errorText ?? ''))
  await page.waitForSelector('.Row[data-id]')
  await page.evaluate('window.marker = 1')
  requests.length = 0
  return { name, page, account, requests, eventCalls, eventAnswers }
}

/** Writes a message into the composer and sends it. */
export async function write({ page }: WatchedPage, text: string): Promise<void> {
  await page.locator('.Composer .WritingField-text').focus()
  await page.keyboard.insertText(text)
  await page.keyboard.press('Control+Enter')
}

/** Scrolls the list of messages by the mouse wheel; a negative number of pixels scrolls up. */
export async function turnWheel({ page }: WatchedPage, pixels: number): Promise<void> {
  await page.locator('.MessageList-scroller').hover()
  await page.mouse.wheel(0, pixels)
}

/** Scrolls until the oldest message of the topic is shown. */
export async function scrollToOldest({ page }: WatchedPage, { listStored }: ShownTopic): Promise<void> {
  const [oldest] = await listStored()
  await eventually(async () => {
    await scrollTo(page, 0)
    return (await listRows(page))[0]?.id === oldest
  })
}

const scrollTo = (page: Page, top: number): Promise<unknown> =>
  page.evaluate(`document.querySelector('.MessageList-scroller').scrollTop = ${top}`)

interface ShownMessage {
  id: number
  text: string
}

const listRows = (page: Page): Promise<ShownMessage[]> =>
  page.evaluate(`[...document.querySelectorAll('.Row[data-id]')].map((row) => ({
    id: Number(row.dataset.id),
    text: row.querySelector('.Body').textContent.trim(),
  }))`)

/** Returns the unread counts that the nav shows, by stream name. */
const readNav = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(`Object.fromEntries([...document.querySelectorAll('.NavStream > .NavRow')].map((row) => [
    row.querySelector('bdi').textContent,
    row.querySelector('.Count [aria-hidden]')?.textContent ?? '0',
  ]))`)

/**
 * Waits until a page shows the same messages and unread counts as a new request returns: the loaded
 * messages without a gap, and the end of the topic. The page must show no unsent message and no error,
 * and must not have been reloaded.
 */
export async function expectSameAsServer(watched: WatchedPage, shown: ShownTopic): Promise<void> {
  const { name, page, account } = watched
  await expectEqual(`${name}: messages in view`, async () => {
    const rows = await listRows(page)
    const [first, last] = [rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0]
    const stored = await listMessages(account, shown)
    return [rows, stored.filter(({ id }) => first <= id && id <= last)]
  })
  await expectEqual(`${name}: end of the topic`, async () => {
    await scrollTo(page, 1e9)
    const rows = await listRows(page)
    const stored = await listMessages(account, shown)
    return [rows, stored.slice(-Math.max(rows.length, Math.min(stored.length, 50)))]
  })
  await expectEqual(`${name}: messages of the database`, async () => [
    (await listMessages(account, shown)).map(({ id }) => id),
    await shown.listStored(),
  ])
  await expectEqual(`${name}: unread counts`, async () => [await readNav(page), await countUnread(account)])
  await expectEqual(`${name}: unsent messages and failures`, async () => [
    await page.locator('.Row-unsent, .ListTrouble, .OfflineBar').allInnerTexts(),
    [],
  ])
  assert.equal(await page.evaluate('window.marker'), 1, `${name} was reloaded`)
}

async function expectEqual(what: string, read: () => Promise<[unknown, unknown]>): Promise<void> {
  let found: [unknown, unknown] = [undefined, undefined]
  const isEqual = async () => {
    found = await read()
    return isDeepStrictEqual(...found)
  }
  await eventually(isEqual).catch(() => assert.deepEqual(...found, what))
}

async function listMessages(account: Client, { stream, topic }: ShownTopic): Promise<ShownMessage[]> {
  const { messages } = await account.messages.list({
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    narrow: [
      { operator: 'stream', operand: stream.stream_id },
      { operator: 'topic', operand: topic },
    ],
    apply_markdown: false,
  })
  return messages.map(({ id, content }) => ({ id, text: content }))
}

/** Reads the unread counts from the server, by stream name, in the form that the nav shows. */
export async function countUnread(account: Client): Promise<Record<string, string>> {
  const { queue_id, ...state } = await account.events.register({
    fetch_event_types: ['message', 'update_message_flags', 'subscription'],
    event_types: ['heartbeat'],
  })
  if (queue_id) await account.events.deleteQueue({ queue_id })
  const { subscriptions = [], unread_msgs } = state
  return Object.fromEntries(
    subscriptions.map(({ stream_id, name }) => {
      const topics = unread_msgs?.streams.filter((unread) => unread.stream_id === stream_id) ?? []
      const count = topics.reduce((sum, { unread_message_ids }) => sum + unread_message_ids.length, 0)
      return [name, count > 999 ? '999+' : String(count)]
    }),
  )
}

/** Returns the unread count that the nav shows for a stream. */
export const readUnread = async ({ page }: WatchedPage, { name }: MadeStream): Promise<number> =>
  Number((await readNav(page))[name])

/** Returns the milliseconds from `since` until the nav shows at least this unread count for a stream. */
export async function measureUntilUnread(
  page: WatchedPage,
  stream: MadeStream,
  count: number,
  since: number,
): Promise<number> {
  await eventually(async () => (await readUnread(page, stream)) >= count, 60_000)
  return Math.round(performance.now() - since)
}

/** Returns the milliseconds from `since` until a page shows a message with this text. */
export async function measureUntilShown({ page }: WatchedPage, text: string, since: number): Promise<number> {
  await page.waitForSelector(`.Row[data-id]:has-text("${text}")`)
  return Math.round(performance.now() - since)
}
