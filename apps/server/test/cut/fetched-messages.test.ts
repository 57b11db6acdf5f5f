import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { defaultGeneration, type Event, type MessageFetch } from '@oxbow/contract'
import { drainQueue, startWorld } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { authenticate } from '../../src/identity/authenticate.ts'
import { sendWithoutOwnerNotice } from '../../src/messages/send/post-message.ts'

const { registers, writers } = bySize({
  gate: { registers: 12, writers: 4 },
  long: { registers: 120, writers: 8 },
})

/** Maximum number of messages that are sent. The largest fetch must be able to contain all of them. */
const maxMessages = 2_400

const fetches: MessageFetch[] = [
  { narrow: [], anchor: 'newest', num_before: 5_000, num_after: 0 },
  { narrow: [], anchor: 'first_unread', num_before: 2_500, num_after: 2_500 },
  {
    narrow: [{ operator: 'topic', operand: 'roses', negated: false }],
    anchor: 'oldest',
    num_before: 0,
    num_after: 5_000,
  },
]

test(`each message is either in the messages that a register request fetches or in the events of its queue: ${registers} registers, ${writers} senders whose transactions stay open`, async (t) => {
  await using world = await startWorld()
  const { app } = world.nodes.a
  const [iris, otto] = await world.people('iris', 'otto')
  const garden = await world.stream('garden', { members: [iris, otto] })
  const caller = {
    subdomain: '',
    origin: world.nodes.a.url,
    address: '127.0.0.1',
    client: 'test',
    legacyNames: false,
    legacyVersions: false,
    generation: defaultGeneration,
  }
  const sender = await authenticate(app, caller, { email: otto.email, api_key: otto.api_key })
  const sent: number[] = []
  let stopped = false
  const write = async () => {
    while (!stopped && sent.length < maxMessages) {
      const message =
        randomInt(3) === 0
          ? ({ recipient: { kind: 'people', people: [iris.user_id] }, topic: '' } as const)
          : ({
              recipient: { kind: 'stream', stream: garden.stream_id },
              topic: randomInt(2) === 0 ? 'roses' : 'reeds',
            } as const)
      const alongside = async () => void (await sleep(randomInt(100)))
      sent.push(
        (await sendWithoutOwnerNotice(app, sender, { ...message, content: 'Pruned.' }, { alongside })).id,
      )
    }
  }
  const writing = Array.from({ length: writers }, write)

  const registered: { fetch: MessageFetch; state: Awaited<ReturnType<typeof iris.events.register>> }[] = []
  for (let round = 0; round < registers; round++) {
    const fetch = fetches[round % fetches.length] as MessageFetch
    const node = round % 2 === 0 ? 'a' : 'b'
    const state = await iris.on(node).events.register({
      fetch_event_types: ['message'],
      event_types: ['message'],
      fetch_messages: fetch,
    })
    assert.equal(state.fetch_messages_error, undefined)
    registered.push({ fetch, state })
  }
  stopped = true
  await Promise.all(writing)
  await world.settled()

  const all = await iris.messages.list({ anchor: 'newest', num_before: 5_000, num_after: 0 })
  const roses = new Set(
    all.messages.filter(({ subject }) => subject === 'roses').map(({ id }) => id as number),
  )
  const idOf = (event: Event) => (event.type === 'message' ? (event.message.id as number) : 0)
  let events = 0
  const wrong: object[] = []
  for (const { fetch, state } of registered) {
    const expected = fetch.narrow.length > 0 ? sent.filter((id) => roses.has(id)) : sent
    const expectedIds = new Set(expected)
    const fetched = state.fetched_messages?.messages.map(({ id }) => id as number) ?? []
    const arrived = (await drainQueue(iris.on('b'), state)).map(idOf)
    events += arrived.length
    const counted = Map.groupBy([...fetched, ...arrived.filter((id) => expectedIds.has(id))], (id) => id)
    const off = expected.filter((id) => counted.get(id)?.length !== 1)
    if (off.length > 0)
      wrong.push({
        anchor: fetch.anchor,
        fetched: fetched.length,
        arrived: arrived.length,
        expected: expected.length,
        wrong: off.length,
        counts: Object.fromEntries(off.slice(0, 5).map((id) => [id, counted.get(id)?.length ?? 0])),
      })
  }
  t.diagnostic(`${sent.length} messages, ${events} events`)
  // All of them would make the description of the failure too large for the memory.
  assert.deepEqual(wrong.slice(0, 5), [])
  assert.ok(events > 0, 'messages arrived after registers')
})
