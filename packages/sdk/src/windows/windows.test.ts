import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Event, FetchedMessage, MessageFlag, MessageId, NarrowTerm } from '@oxbow/contract'
import { stream, subscription } from '../../test/example-streams.ts'
import { applyEvent } from '../state/apply-event.ts'
import type { State } from '../state/state.ts'
import type { Highlight, Term } from './narrow.ts'
import type { Page } from './store.ts'
import { type Anchor, createWindows, type PageRequest, type WindowLimits } from './windows.ts'

// Tests in apps/server/test/windows compare windows with a real server. These tests are small
// examples of each rule, with pages from a list of messages.

const [garden, pond] = [1, 2]
const inGarden: Term = { operator: 'stream', operand: garden }
const roses: Term = { operator: 'topic', operand: 'roses' }
const starred: Term = { operator: 'is', operand: 'starred' }

function message(id: number, topic = 'roses', stream_id = garden, flags: MessageFlag[] = ['read']) {
  return {
    ...{ id, type: 'stream', stream_id, topic, subject: topic, display_recipient: 'garden', flags },
    ...{ sender_id: 5, sender_full_name: 'Iris', sender_email: '', sender_realm_str: '', avatar_url: null },
    ...{ client: 'test', content: `<p>${id}</p>`, content_type: 'text/html', topic_links: [], timestamp: id },
    ...{ recipient_id: stream_id, is_me_message: false, reactions: [], submessages: [] },
  } as unknown as FetchedMessage
}

const isInStream = (stored: FetchedMessage, id: number) => stored.type === 'stream' && stored.stream_id === id

function matchesTerm(stored: FetchedMessage, { operator, operand }: NarrowTerm): boolean {
  if (operator === 'stream') return isInStream(stored, operand as number)
  if (operator === 'topic') return stored.subject.toLowerCase() === operand
  if (operator === 'is') return stored.flags.includes(operand as MessageFlag)
  return operator !== 'has' || stored.content.includes('link')
}

function setUp({
  isGuest = false,
  limits = {},
  subscribed = [garden, pond],
}: {
  isGuest?: boolean
  limits?: Partial<WindowLimits>
  subscribed?: number[]
} = {}) {
  const streams = [stream(garden, 'garden'), stream(pond, 'pond')]
  const start = {
    user_id: 2,
    is_guest: isGuest,
    subscriptions: streams
      .filter(({ stream_id }) => subscribed.includes(stream_id))
      .map((stored) => subscription(stored)),
    unsubscribed: [],
    never_subscribed: streams.filter(({ stream_id }) => !subscribed.includes(stream_id)),
    muted_topics: [],
  } as unknown as State
  const server = {
    messages: [] as FetchedMessage[],
    requests: [] as PageRequest[],
    questions: [] as (readonly MessageId[])[],
    failure: undefined as Error | undefined,
    /** Maximum number of messages on a page, as if they were very large. The nearest to the anchor remain. */
    maxMessages: Number.POSITIVE_INFINITY,
    /** Requests wait for this promise if it is set. */
    gate: undefined as Promise<void> | undefined,
  }
  let state = start
  const list = (request: PageRequest): Page => {
    const found = server.messages.filter((stored) =>
      request.narrow.every((term) => matchesTerm(stored, term)),
    )
    const anchor =
      request.anchor === 'newest' ? 1e16 : request.anchor === 'oldest' ? 0 : Number(request.anchor)
    const itself = found.filter(({ id }) => id === anchor)
    const space = server.maxMessages - itself.length
    const older = found.filter(({ id }) => id < anchor).toReversed()
    const newer = found.filter(({ id }) => id > anchor)
    const maxAfter = Math.max(Math.floor(space / 2), space - Math.min(request.num_before, older.length))
    const after = newer.slice(0, Math.min(request.num_after, maxAfter))
    const before = older.slice(0, Math.min(request.num_before, space - after.length)).toReversed()
    const messages = [...before, ...itself, ...after]
    return {
      messages: structuredClone(messages),
      anchor,
      found_oldest: anchor === 0 || (older.length < request.num_before && before.length === older.length),
      found_newest: anchor === 1e16 || (newer.length < request.num_after && after.length === newer.length),
    }
  }
  const windows = createWindows({
    state: start,
    fetch: async (request) => {
      server.requests.push(request)
      if (server.failure) throw server.failure
      const page = list(request)
      await server.gate
      return page
    },
    match: async (ids, narrow) => {
      server.questions.push(ids)
      await server.gate
      const found = server.messages.filter(
        (stored) => ids.includes(stored.id) && narrow.every((term) => matchesTerm(stored, term)),
      )
      return Object.fromEntries(
        found.map(({ id }) => [id, { match_content: '', match_subject: '' } as Highlight]),
      )
    },
    limits: { pageSize: 3, askAfterMs: 1, refreshMs: 1e9, ...limits },
  })
  const apply = (event: object) => {
    state = applyEvent(state, { id: 1, ...event } as Event, {})
    windows.apply({ id: 1, ...event } as Event, state)
  }
  const open = async (narrow: Term[], anchor: Anchor = 'newest') => {
    const view = windows.open(narrow, anchor)
    await view.loaded
    return view
  }
  return { server, windows, apply, open }
}

const sent = (stored: FetchedMessage) => {
  const { flags, ...announced } = stored
  return { type: 'message', message: announced, flags }
}
const moved = (ids: number[], to: { subject?: string; new_stream_id?: number }) => ({
  ...{ type: 'update_message', message_id: ids[0], message_ids: ids, flags: ['read'] },
  ...{ stream_id: garden, orig_subject: 'roses', propagate_mode: 'change_all', ...to },
})
const flagged = (ids: number[], flag: string, operation = 'add') => ({
  ...{ type: 'update_message_flags', operation, flag, messages: ids, all: false },
})
const deleted = (ids: number[]) => ({
  ...{ type: 'delete_message', message_type: 'stream', message_ids: ids, stream_id: garden, topic: 'roses' },
})
const idle = async ({ windows }: ReturnType<typeof setUp>) => {
  while (!windows.isIdle) await sleep(1)
  await setImmediate()
}

test('a new message is added in id order to windows that reach the newest message', async () => {
  const { server, apply, open } = setUp()
  server.messages = [message(10), message(20)]
  const view = await open([inGarden])

  apply(sent(message(40)))
  apply(sent(message(30)))

  assert.deepEqual(view.segment?.ids, [10, 20, 30, 40])
  assert.equal(server.requests.length, 1)
})

test('a new message is not added to a window that ends before the newest message', async () => {
  const { server, apply, open } = setUp()
  server.messages = [10, 20, 30, 40, 50].map((id) => message(id))
  const view = await open([inGarden], 'oldest')
  assert.deepEqual(view.segment, { from: 0, to: 30, ids: [10, 20, 30] })

  apply(sent(message(25)))
  apply(sent(message(60)))

  assert.deepEqual(view.segment?.ids, [10, 20, 25, 30])
})

test('a fetched message is not replaced by its older event', async () => {
  const { server, windows, apply, open } = setUp()
  server.messages = [{ ...message(10), content: '<p>edited</p>' }]
  await open([inGarden])

  apply(sent(message(10)))

  assert.equal(windows.message(10 as MessageId)?.content, '<p>edited</p>')
})

test('fetching older and newer messages joins the segments of a window', async () => {
  const { server, open } = setUp()
  server.messages = [10, 20, 30, 40, 50, 60, 70, 80, 90].map((id) => message(id))
  const view = await open([inGarden])
  assert.deepEqual(view.segment?.ids, [70, 80, 90])
  const old = await open([inGarden], 'oldest')
  assert.equal(old.current.segments.length, 2)

  old.anchor = 20
  await Promise.all([old.fetchNewer(), old.fetchNewer()])
  await old.fetchNewer()

  assert.deepEqual(old.current.segments, [
    { from: 0, to: Number.POSITIVE_INFINITY, ids: [10, 20, 30, 40, 50, 60, 70, 80, 90] },
  ])
  assert.equal(server.requests.length, 4, 'two requests for the same gap are one')
})

test('pages that are shorter than requested are continued until both ends are reached', async () => {
  const { server, open } = setUp({ limits: { pageSize: 5 } })
  const ids = Array.from({ length: 12 }, (_, index) => 10 * (index + 1))
  server.messages = ids.map((id) => message(id))
  server.maxMessages = 2
  const view = await open([inGarden], 60)
  assert.deepEqual(view.segment, { from: 50, to: 60, ids: [50, 60] })

  for (let count = 0; view.segment?.from !== 0; count++) {
    assert.ok(count < 10, 'each page has another message')
    await view.fetchOlder()
  }
  for (let count = 0; view.segment?.to !== Number.POSITIVE_INFINITY; count++) {
    assert.ok(count < 10, 'each page has another message')
    await view.fetchNewer()
  }

  assert.deepEqual(view.current.segments, [{ from: 0, to: Number.POSITIVE_INFINITY, ids }])
})

test('a refreshed window whose page is shorter keeps the messages nearest to its anchor, and can be extended', async () => {
  const { server, open } = setUp({ limits: { pageSize: 5 } })
  const ids = Array.from({ length: 10 }, (_, index) => 10 * (index + 1))
  server.messages = ids.map((id) => message(id))
  const view = await open([inGarden], 50)
  assert.deepEqual(view.segment?.ids, ids)

  server.maxMessages = 4
  await view.refresh()
  assert.deepEqual(view.current.segments, [{ from: 30, to: 60, ids: [30, 40, 50, 60] }])
  server.maxMessages = Number.POSITIVE_INFINITY
  await view.fetchOlder()
  await view.fetchNewer()

  assert.deepEqual(view.segment?.ids, ids)
})

test('a window opened at a message that is not loaded shows no other messages until it is loaded', async () => {
  const { server, windows, open } = setUp()
  server.messages = Array.from({ length: 20 }, (_, index) => message(10 * (index + 1)))
  await open([inGarden])

  const gate = Promise.withResolvers<void>()
  server.gate = gate.promise
  const view = windows.open([inGarden], 50)
  const { segment } = view
  assert.equal(segment, undefined)

  gate.resolve()
  await view.loaded
  assert.deepEqual(view.segment?.ids, [20, 30, 40, 50, 60, 70, 80])
})

test('an event that arrives during a request is applied to its response too', async () => {
  const { server, apply, open } = setUp()
  server.messages = [10, 20, 30, 40, 50].map((id) => message(id))
  const view = await open([inGarden])
  const { promise, resolve } = Promise.withResolvers<void>()
  server.gate = promise

  const fetched = view.fetchOlder()
  apply(deleted([20]))
  resolve()
  await fetched

  assert.deepEqual(view.segment?.ids, [10, 30, 40, 50])
})

test('a moved message appears in the window of its new topic, and is fetched if it is not in memory', async () => {
  const scene = setUp()
  const { server, apply, open } = scene
  server.messages = [message(10), message(20, 'weeds'), message(30), message(40, 'weeds')]
  const view = await open([inGarden, roses])
  const weeds = await open([inGarden, { operator: 'topic', operand: 'weeds' }])

  apply(moved([30], { subject: 'Weeds' }))
  assert.deepEqual([view.segment?.ids, weeds.segment?.ids], [[10], [20, 30, 40]])
  assert.equal(server.requests.length, 2)

  server.messages.push(message(35, 'moles'))
  server.messages = server.messages.map((stored) =>
    stored.id === 35 ? message(35) : stored.id === 30 ? message(30, 'weeds') : stored,
  )
  apply(moved([35], { subject: 'roses' }))
  assert.ok(view.current.isStale)
  await idle(scene)
  assert.deepEqual([view.segment?.ids, view.current.isStale], [[10, 35], false])
  assert.equal(server.requests.length, 3)
})

test('starring an unknown message refetches the starred messages, and unstarring removes it', async () => {
  const scene = setUp()
  const { server, apply, open } = scene
  server.messages = [message(10), message(20)]
  const view = await open([starred])
  assert.deepEqual(view.segment?.ids, [])

  server.messages = [message(10), message(20, 'roses', garden, ['read', 'starred'])]
  apply(flagged([20], 'starred'))
  await idle(scene)
  assert.deepEqual(view.segment?.ids, [20])

  apply(flagged([20], 'starred', 'remove'))
  assert.deepEqual(view.segment?.ids, [])
})

test('a stale window that is not shown is dropped', async () => {
  const { server, apply, open } = setUp()
  server.messages = [message(10)]
  const view = await open([inGarden])
  view.close()
  await open([inGarden])
  assert.equal(server.requests.length, 1, 'a kept window needs no request')
  const other = await open([starred])
  other.close()

  apply({ type: 'subscription', op: 'remove', subscriptions: [{ stream_id: pond, name: 'pond' }] })
  await open([starred])

  assert.equal(server.requests.length, 3)
})

test('windows of streams without a subscription are not live, and are refetched when they are shown', async () => {
  const { server, open } = setUp({ subscribed: [garden] })
  server.messages = [message(10, 'roses', pond)]
  const view = await open([{ operator: 'stream', operand: pond }])
  assert.equal(view.current.isLive, false)
  view.close()

  await open([{ operator: 'stream', operand: pond }])

  assert.equal(server.requests.length, 2)
})

for (const [narrow, isLive] of [
  [[{ operator: 'topic', operand: 'roses' }], false],
  [[{ operator: 'is', operand: 'starred' }], true],
] as const)
  test(`without a subscription to a public stream, a window of ${narrow[0].operator}:${narrow[0].operand} is ${isLive ? '' : 'not '}live`, async () => {
    const { server, open } = setUp({ subscribed: [garden] })
    server.messages = [message(10, 'roses', garden)]

    const view = await open([...narrow])

    // A received message may have been moved to the pond, where a change of its topic causes no event.
    assert.equal(view.current.isLive, isLive)
  })

test('windows that are not live are refreshed while they are shown', async () => {
  const scene = setUp({ subscribed: [garden], limits: { refreshMs: 1 } })
  const { server, windows, open } = scene
  server.messages = [message(10, 'roses', pond)]
  const view = await open([{ operator: 'stream', operand: pond }])

  server.messages = [message(10, 'roses', pond), message(20, 'roses', pond)]
  while (view.segment?.ids.length !== 2) await sleep(1)

  windows.stop()
})

test('a message of a stream without a subscription is refetched when it is moved to a subscribed one', async () => {
  const scene = setUp({ subscribed: [garden] })
  const { server, windows, apply, open } = scene
  server.messages = [message(5), message(10, 'roses', pond)]
  await open([{ operator: 'stream', operand: pond }])
  const view = await open([inGarden])

  server.messages = [message(5), { ...message(10), content: '<p>edited unseen</p>' }]
  apply(moved([10], { new_stream_id: garden }))
  await idle(scene)

  assert.deepEqual(view.segment?.ids, [5, 10])
  assert.equal(windows.message(10 as MessageId)?.content, '<p>edited unseen</p>')
})

test('a message moved to a stream that a guest cannot see is removed for guests and kept for members', async () => {
  for (const isGuest of [true, false]) {
    const { server, apply, open } = setUp({ isGuest, subscribed: [garden] })
    server.messages = [message(10), message(20)]
    const view = await open([])

    apply(moved([20], { new_stream_id: pond }))

    assert.deepEqual([view.segment?.ids, view.current.isLive], isGuest ? [[10], true] : [[10, 20], false])
  }
})

test('an edit does not change the flags of messages that the account has not received', async () => {
  const { server, windows, apply, open } = setUp()
  server.messages = [message(10, 'roses', garden, ['read', 'historical'])]
  await open([inGarden])
  const { flags } = windows.message(10 as MessageId) ?? {}

  apply({
    type: 'update_message',
    message_id: 10,
    message_ids: [10],
    flags: ['read'],
    rendered_content: 'New',
  })

  const edited = windows.message(10 as MessageId)
  assert.deepEqual([edited?.content, edited?.flags], ['New', flags])
})

test('leaving a stream refetches shown windows of several streams', async () => {
  const scene = setUp()
  const { server, apply, open } = scene
  server.messages = [message(10), message(20, 'roses', pond)]
  const view = await open([])

  apply({ type: 'subscription', op: 'remove', subscriptions: [{ stream_id: pond, name: 'pond' }] })
  await idle(scene)

  assert.deepEqual([server.requests.length, view.current.isLive], [2, false])
})

test('an event that marks messages as unread changes only messages with details', async () => {
  const { server, windows, apply, open } = setUp()
  server.messages = [message(10), message(20)]
  await open([inGarden])
  const details = { type: 'stream', stream_id: garden, topic: 'roses', sender_id: 5 }

  apply({ ...flagged([10, 20], 'read', 'remove'), message_details: { 20: details } })

  assert.deepEqual(
    [10, 20].map((id) => windows.message(id as MessageId)?.flags),
    [1, 0],
  )
})

test('marking all as read does not affect a message that was sent later but fetched before the event', async () => {
  const { server, windows, apply, open } = setUp()
  const later = message(20, 'roses', garden, [])
  server.messages = [message(10, 'roses', garden, []), later]
  await open([inGarden])

  apply({ ...flagged([], 'read'), all: true })
  apply(sent(later))

  assert.deepEqual(
    [10, 20].map((id) => windows.message(id as MessageId)?.flags),
    [1, 0],
  )
})

test('for narrows that the client cannot evaluate, one request asks the server about several messages', async () => {
  const scene = setUp()
  const { server, apply, open } = scene
  const view = await open([inGarden, { operator: 'has', operand: 'link' }])
  const links = [20, 30].map((id) => ({ ...message(id), content: 'link' }))
  server.messages = [message(10), ...links]

  apply(sent(message(10)))
  for (const stored of links) apply(sent(stored))
  apply(sent(message(40, 'roses', pond)))
  await idle(scene)

  assert.deepEqual(view.segment?.ids, [20, 30])
  assert.deepEqual(server.questions, [[10, 20, 30]])
})

test('windows ask the server again if a new state arrives during a request', async () => {
  const { server, windows, apply, open } = setUp()
  const view = await open([inGarden, { operator: 'has', operand: 'link' }])
  const [first, second] = [20, 30].map((id) => ({ ...message(id), content: 'link' })) as [
    FetchedMessage,
    FetchedMessage,
  ]
  const hasAsked = async (count: number) => {
    for (let waits = 0; waits < 1_000 && server.questions.length < count; waits++) await sleep(1)
  }
  const { promise, resolve } = Promise.withResolvers<void>()
  server.gate = promise
  server.messages = [first]
  apply(sent(first))
  await hasAsked(1)

  windows.replaceState({
    user_id: 2,
    subscriptions: [subscription(stream(garden, 'garden'))],
  } as unknown as State)
  resolve()
  await view.refresh()
  server.messages = [first, second]
  apply(sent(second))
  await hasAsked(2)

  assert.deepEqual(server.questions, [[20], [30]])
})

test('after a new state, shown windows are refetched around their anchor, and others dropped', async () => {
  const scene = setUp()
  const { server, windows, open } = scene
  server.messages = [10, 20, 30, 40, 50, 60, 70].map((id) => message(id))
  const view = await open([inGarden], 40)
  const hidden = await open([inGarden, roses])
  hidden.close()
  const { promise, resolve } = Promise.withResolvers<void>()
  server.gate = promise
  const overtaken = view.fetchOlder()

  server.messages = server.messages.filter(({ id }) => id !== 30)
  windows.replaceState({
    user_id: 2,
    subscriptions: [subscription(stream(garden, 'garden'))],
  } as unknown as State)
  assert.deepEqual([view.segment?.ids, view.current.isStale], [[10, 20, 30, 40, 50, 60, 70], true])
  resolve()
  await overtaken
  await idle(scene)

  assert.deepEqual([view.segment?.ids, view.current.isStale], [[10, 20, 40, 50, 60, 70], false])
})

test('a response that was requested before a new state is ignored if it arrives after the refetched messages', async () => {
  const scene = setUp()
  const { server, windows, open } = scene
  server.messages = [10, 20, 30, 40, 50].map((id) => message(id))
  const view = await open([inGarden])
  const { promise, resolve } = Promise.withResolvers<void>()
  server.gate = promise
  const overtaken = view.fetchOlder()
  server.gate = undefined
  server.messages = server.messages.filter(({ id }) => id !== 20)

  windows.replaceState({
    user_id: 2,
    subscriptions: [subscription(stream(garden, 'garden'))],
  } as unknown as State)
  while (view.current.isStale) await sleep(1)
  resolve()
  await overtaken
  await idle(scene)

  assert.ok(!view.segment?.ids.includes(20 as never), `${view.segment?.ids}`)
})

test('a failed request is reported, and repeated only on request', async () => {
  const scene = setUp()
  const { server, windows } = scene
  server.messages = [message(10)]
  server.failure = new Error('no response')
  const view = windows.open([inGarden], 'newest')
  await assert.rejects(view.loaded, /no response/)
  assert.equal(view.current.error, server.failure)

  server.failure = undefined
  await view.refresh()

  assert.deepEqual([view.segment?.ids, view.current.error], [[10], undefined])
})

test('changes are reported, and unchanged parts keep their identity', async () => {
  const { server, windows, apply, open } = setUp()
  server.messages = [message(10), message(20)]
  const view = await open([inGarden])
  const other = await open([starred])
  const reports: [number[], number][] = []
  windows.subscribe(({ messages, windows: changed }) => reports.push([[...messages], changed.length]))
  const [before, beforeOther, kept] = [view.current, other.current, windows.message(10 as MessageId)]

  apply(flagged([20], 'read', 'remove'))
  assert.deepEqual(reports, [[[20], 0]])
  assert.equal(view.current, before)

  apply(sent(message(30)))
  assert.deepEqual(reports[1], [[30], 1])
  assert.notEqual(view.current, before)
  assert.deepEqual([other.current, windows.message(10 as MessageId)], [beforeOther, kept])
  apply({ type: 'heartbeat' })
  assert.equal(reports.length, 2)
})

test('windows are trimmed when they are closed, and the ones that were shown longest ago are dropped first', async () => {
  const { server, windows, open } = setUp({
    limits: { pageSize: 10, maxKept: 4, maxWindows: 2, maxMessages: 12 },
  })
  server.messages = Array.from({ length: 10 }, (_, index) => message(10 * (index + 1)))
  const view = await open([inGarden])
  view.anchor = 50
  view.close()
  const again = await open([inGarden], 50)
  assert.deepEqual(again.segment, { from: 30, to: 60, ids: [30, 40, 50, 60] })
  assert.equal(windows.message(100 as MessageId), undefined)
  again.close()

  await open([starred])
  await open([roses])
  assert.equal(server.requests.length, 3)
  await open([inGarden], 50)
  assert.equal(server.requests.length, 4, 'the first window was dropped')
})

/** Returns the windows and messages that a client would store, as a database returns them. */
function keep({ windows }: ReturnType<typeof setUp>, maxMessages = 100) {
  const kept = windows.listStorable({ maxWindows: 10, maxMessages })
  const ids = kept.flatMap(({ segments }) => segments.flatMap((segment) => segment.ids))
  const messages = new Map(
    ids.flatMap((id) => windows.message(id) ?? []).map((stored) => [stored.id, stored]),
  )
  return structuredClone({ kept, contents: { messages, names: [[5 as never, 'Iris'] as const] } })
}

test('a stored window is shown without a request and updated by the next events', async () => {
  const before = setUp()
  before.server.messages = [message(10), message(20), message(30, 'moss')]
  await before.open([inGarden, roses])
  before.apply(sent(message(40)))
  const { kept, contents } = keep(before)

  const after = setUp()
  after.windows.restore(kept, contents)
  const view = await after.open([inGarden, roses])
  for (const event of [sent(message(50)), deleted([20]), moved([40], { subject: 'moss' })]) after.apply(event)

  assert.deepEqual(view.segment?.ids, [10, 50])
  assert.equal(after.windows.message(10 as MessageId)?.content, '<p>10</p>')
  assert.equal(after.windows.nameOf(5 as never), 'Iris')
  assert.deepEqual(after.server.requests, [])
})

test('windows that events alone cannot keep exact are not stored', async () => {
  const world = setUp({ subscribed: [garden] })
  world.server.messages = [message(10), message(20, 'pike', pond)]
  await world.open([inGarden])
  await world.open([{ operator: 'stream', operand: pond }])
  await world.open([{ operator: 'search', operand: 'roses' }])
  await world.open([{ operator: 'is', operand: 'unread' }])

  const { kept } = keep(world)

  assert.deepEqual(
    kept.map(({ narrow }) => narrow),
    [[{ ...inGarden, negated: false }]],
  )
})

test('a stored window is trimmed around its anchor, and one whose messages are missing is not restored', async () => {
  const before = setUp({ limits: { pageSize: 10 } })
  before.server.messages = Array.from({ length: 9 }, (_, index) => message(index + 1))
  await before.open([inGarden], 5)
  const { kept, contents } = keep(before, 4)
  assert.deepEqual(kept[0]?.segments[0]?.ids, [3, 4, 5, 6])
  contents.messages.delete(4 as MessageId)

  const after = setUp()
  after.server.messages = [message(5)]
  after.windows.restore(kept, contents)
  const view = await after.open([inGarden], 5)

  assert.deepEqual(view.segment?.ids, [5])
  assert.equal(after.server.requests.length, 1)
})
