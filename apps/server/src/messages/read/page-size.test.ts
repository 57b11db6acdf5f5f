import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type FetchedMessage, type MessageId, maxEdits } from '@oxbow/contract'
import { request, startWorld } from '@oxbow/testkit'
import {
  addEdits,
  addMessages,
  addReactions,
  addSubmessages,
  type LargeText,
} from '@oxbow/testkit/calls/large-messages'
import { sendToStream } from '@oxbow/testkit/calls/messages'
import { refusal } from '@oxbow/testkit/calls/requests'

const world = await startWorld()
after(() => world[Symbol.asyncDispose]())
const [iris, otto] = await world.people('iris', 'otto')
const mixed = await world.stream('mixed', { members: [iris, otto] })
const escaped = await world.stream('escaped', { members: [iris, otto] })
const imported = await world.stream('imported', { members: [iris, otto] })
const full = await world.stream('full', { members: [iris, otto] })
before(() => world.settled())

const maxBytes = 8_000_000

interface FetchedPage {
  ids: MessageId[]
  messages: FetchedMessage[]
  bytes: number
  found_anchor: boolean
  found_oldest: boolean
  found_newest: boolean
}

type PageParams = { anchor: string; num_before: number; num_after: number } & Record<string, unknown>

async function fetchPage(
  stream: { name: string },
  { anchor, num_before, num_after, ...more }: PageParams,
  search?: string,
): Promise<FetchedPage> {
  const terms = [{ operator: 'stream', operand: stream.name }]
  const narrow = search === undefined ? terms : [...terms, { operator: 'search', operand: search }]
  const params = { anchor, num_before, num_after, narrow, ...more }
  const { text, body } = await request(world.nodes.a.url, {
    path: '/api/v1/messages',
    credentials: otto,
    query: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]),
    ),
  })
  const page = body as unknown as FetchedPage
  const bytes = Buffer.byteLength(text)
  assert.ok(bytes <= maxBytes, `${bytes} bytes`)
  return { ...page, bytes, ids: page.messages.map(({ id }) => id) }
}

/** Reads a whole stream page by page like a client, and returns the ids and the pages. */
async function readAll(
  stream: { name: string },
  from: 'newest' | 'oldest',
  more: Record<string, unknown> = {},
  search?: string,
): Promise<{ ids: MessageId[]; pages: FetchedPage[] }> {
  const counts = from === 'newest' ? { num_before: 1_000, num_after: 0 } : { num_before: 0, num_after: 1_000 }
  const isLast = ({ found_oldest, found_newest }: FetchedPage) =>
    from === 'newest' ? found_oldest : found_newest
  const first = await fetchPage(stream, { anchor: from, ...counts, ...more }, search)
  const pages = [first]
  const read = [...first.ids]
  for (let page = first; !isLast(page); pages.push(page)) {
    const anchor = (from === 'newest' ? read[0] : read.at(-1)) as MessageId
    page = await fetchPage(stream, { anchor: `${anchor}`, ...counts, ...more }, search)
    assert.ok(page.found_anchor && page.ids.includes(anchor))
    const others = page.ids.filter((id) => id !== anchor)
    assert.ok(others.length > 0, `no message beside ${anchor}`)
    if (from === 'newest') read.unshift(...others)
    else read.push(...others)
  }
  return { ids: read, pages }
}

const rose = '<span aria-label="rose" class="emoji emoji-1f339" role="img" title="rose">:rose:</span> '
const long: LargeText = {
  content: `A trellis. ${':rose: '.repeat(1_400)}`,
  html: `<p>A trellis. ${rose.repeat(900)}</p>`,
}

test('texts, edits, reactions and submessages of a page share 8 MB, and all messages can be read page by page', async () => {
  const ids = await addMessages(
    world,
    iris,
    mixed,
    Array.from({ length: 60 }, () => long),
  )
  const every = (rest: number) => ids.filter((_, index) => index % 4 === rest)
  await addEdits(world, every(0), 30, 50_000)
  await addReactions(world, every(1), 1_500)
  await addSubmessages(world, every(2), 20, 45_000)

  for (const from of ['newest', 'oldest'] as const) {
    const { ids: read, pages } = await readAll(mixed, from)
    assert.deepEqual(read, ids)
    assert.ok(pages.length > 2 && pages.length < 6, `${pages.length} pages`)
    for (const [index, page] of pages.entries()) {
      const isLast = index === pages.length - 1
      assert.equal(page.found_oldest, from === 'newest' ? isLast : index === 0)
      assert.equal(page.found_newest, from === 'oldest' ? isLast : index === 0)
      if (!isLast) assert.ok(page.bytes > maxBytes / 2, `${page.bytes} bytes`)
      for (const message of page.messages) {
        const rest = ids.indexOf(message.id) % 4
        assert.equal(message.reactions.length, rest === 1 ? 1_500 : 0)
        assert.equal(message.submessages.length, rest === 2 ? 20 : 0)
      }
    }
  }
})

test('a page around a message that is cut on both sides has the messages nearest to it', async () => {
  const { ids } = await readAll(mixed, 'newest', { apply_markdown: false })
  const middle = ids[30] as MessageId

  const page = await fetchPage(mixed, { anchor: `${middle}`, num_before: 30, num_after: 30 })

  assert.deepEqual([page.found_anchor, page.found_oldest, page.found_newest], [true, false, false])
  const start = ids.indexOf(page.ids[0] as MessageId)
  assert.deepEqual(page.ids, ids.slice(start, start + page.ids.length))
  const older = 30 - start
  assert.ok(Math.abs(older - (page.ids.length - 1 - older)) <= 1, `${older} of ${page.ids.length}`)
})

test('results of a search are cut like other pages, and all of them can be read page by page', async () => {
  const { ids } = await readAll(mixed, 'newest', { apply_markdown: false })

  for (const from of ['newest', 'oldest'] as const) {
    const found = await readAll(mixed, from, {}, 'trellis')
    assert.deepEqual(found.ids, ids)
    assert.ok(found.pages.length > 2, `${found.pages.length} pages`)
    for (const { messages } of found.pages)
      for (const message of messages) assert.match(message.match_content ?? '', /class="highlight"/)
  }
})

test('matches_narrow refuses messages that are too long for one response, and accepts some of them', async () => {
  const { ids } = await readAll(mixed, 'newest', { apply_markdown: false })
  const narrow = [{ operator: 'search', operand: 'trellis', negated: false }]
  const refused = refusal(
    'These messages are too long together for one response. Ask about fewer of them at once.',
  )

  await assert.rejects(otto.messages.matchesNarrow({ msg_ids: ids, narrow }), refused)
  const { messages } = await otto.messages.matchesNarrow({ msg_ids: ids.slice(0, 20), narrow })
  assert.equal(Object.keys(messages).length, 20)
})

test('a page is cut by its size as JSON, which can be several times the size of the texts', async () => {
  const control = '\u0001'.repeat(60_000)
  const texts = Array.from({ length: 50 }, () => ({ content: control.slice(0, 10_000), html: control }))
  const ids = await addMessages(world, iris, escaped, texts)

  const { ids: read, pages } = await readAll(escaped, 'newest')
  assert.deepEqual(read, ids)
  assert.equal(pages.length, 3)
  const { pages: sources } = await readAll(escaped, 'newest', { apply_markdown: false })
  assert.equal(sources.length, 1)
})

test('messages at all of their limits can be read one after the other', async () => {
  const ids = await addMessages(
    world,
    iris,
    full,
    Array.from({ length: 5 }, () => long),
  )
  await addEdits(world, ids, 2, 100_000)
  await addReactions(world, ids, 20_000)
  // In a response, a quote takes two bytes.
  await addSubmessages(world, ids, 10_000, 100, '"')

  const { ids: read, pages } = await readAll(full, 'newest')

  assert.deepEqual(read, ids)
  const { messages = [] } = pages[0] ?? {}
  assert.ok(messages.every(({ reactions }) => reactions.length > 5_000 && reactions.length < 10_000))
  const { message } = await otto.messages.getRaw({ message_id: ids[0] as MessageId })
  assert.equal(message.reactions.length, messages[0]?.reactions.length)
  assert.equal(message.submessages.length, messages[0]?.submessages.length)
  const submessageBytes = Buffer.byteLength(JSON.stringify(message.submessages))
  assert.ok(submessageBytes > 1_800_000 && submessageBytes < 2_200_000, `${submessageBytes} bytes`)
})

test('imported messages that are far above all limits can be read one after the other, without what does not fit', async () => {
  const control = '\u0001'.repeat(300_000)
  const text = { content: control.slice(0, 200_000), html: control }
  const ids = await addMessages(world, iris, imported, [text, text, text])
  await addEdits(world, ids, 1, 300_000)
  await addReactions(world, ids, 20_000)
  await addSubmessages(world, ids, 3_000, 1_000, '"')

  const { ids: read, pages } = await readAll(imported, 'newest')

  assert.deepEqual(read, ids)
  const [message] = pages[0]?.messages ?? []
  assert.deepEqual([message?.reactions, message?.submessages, message?.edit_history], [[], [], []])
  const { message: raw } = await otto.messages.getRaw({ message_id: ids[0] as MessageId })
  assert.ok(raw.reactions.length > 0 && raw.submessages.length > 0)
})

test('the messages that register returns are cut like a page', async () => {
  const fetch_messages = {
    narrow: [{ operator: 'stream', operand: 'mixed', negated: false }],
    ...{ anchor: 'newest', num_before: 60, num_after: 0 },
  }
  const state = await otto.events.register({ fetch_event_types: [], fetch_messages })

  const page = state.fetched_messages
  assert.deepEqual([page?.found_oldest, page?.found_newest], [false, true])
  assert.ok(JSON.stringify(page).length <= maxBytes)
  const { ids } = await fetchPage(mixed, {
    anchor: 'newest',
    num_before: 60,
    num_after: 0,
    apply_markdown: false,
  })
  const shown = page?.messages.map(({ id }) => id) ?? []
  assert.deepEqual(shown, ids.slice(-shown.length))
})

test('a listed message has its newest edits, and the history has all of them', async () => {
  const message_id = await sendToStream(iris, mixed, 'edits', 'Pruned.')
  await addEdits(world, [message_id], maxEdits, 300)

  const { message } = await otto.messages.getRaw({ message_id })
  const { message_history } = await otto.messages.history({ message_id })

  const listed = message.edit_history?.length ?? 0
  assert.ok(listed > 20 && listed < 40, `${listed} edits`)
  assert.equal(message_history.length, maxEdits + 1)
})

test('a listed message has its newest edit, however long it is', async () => {
  const message_id = await sendToStream(iris, mixed, 'edits', 'Pruned.')
  await addEdits(world, [message_id], 3, 50_000)

  const { message } = await otto.messages.getRaw({ message_id })

  assert.deepEqual(
    message.edit_history?.map(({ prev_content }) => prev_content?.length),
    [50_000],
  )
})

test('the history of a message with more edits than the limits allow has the newest versions', async () => {
  const message_id = await sendToStream(iris, mixed, 'edits', 'Pruned.')
  await addEdits(world, [message_id], 30, 50_000)

  const { message_history } = await otto.messages.history({ message_id })

  assert.equal(message_history.length, 12)
  assert.equal(message_history.at(-1)?.content, 'Pruned.')
  assert.equal(message_history[0]?.content.length, 50_000)
})
