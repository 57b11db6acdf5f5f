import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eventually, type NodeName, openEventStream, openQueue, startWorld } from '@oxbow/testkit'
import type { Emission } from '../events/record.ts'
import { emitEvents, makeNote } from '../events/test/emit-events.ts'
import { makeTestStreams } from './test/test-streams.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const { nodes, owner } = world
const [iris, otto] = await world.people('iris', 'otto')
const gus = await world.person('gus', 'guest')
const { newStream, subscribe } = makeTestStreams(world)
const nodeNames: readonly NodeName[] = ['a', 'b']

interface MessageEvent {
  id: number
  flags: string[]
  message: { content: string; content_type: string; local_id?: string }
  local_message_id?: string
}

/** Builds a message in the form that its record stores. */
const buildMessage = (content: string, emission: Partial<Emission>) => ({
  event: {
    type: 'message',
    message: { content, rendered_content: `<p>${content}</p>`, type: 'stream', avatar_url: '/avatar' },
  },
  flags: {},
  ...emission,
})

const asMessages = (events: readonly object[]) => events as MessageEvent[]

const listening = (count: number) =>
  eventually(
    () => nodes.a.app.events.log.organizations.get(world.organization_id as never)?.listening.size === count,
  )

test("local_id is sent only to the sender's queue, on either node", async () => {
  const garden = newStream()
  await subscribe([iris, otto], garden)
  const queues = {
    announced: await openQueue(iris),
    moved: await openQueue(iris),
    other: await openQueue(iris),
    ottos: await openQueue(otto),
  }
  const waiting = queues.announced.poll()
  await listening(1)
  const echo = ({ queue_id }: { queue_id: string }, local_id: string) => ({
    to: { stream: garden },
    echo: { queue: queue_id, user: iris.user_id, local_id },
  })

  await emitEvents(
    world,
    buildMessage('one', echo(queues.announced, '1.01')),
    buildMessage('two', echo(queues.moved, '2.01')),
    buildMessage('three', echo(queues.ottos, '3.01')),
  )
  await world.settled()

  const idsOf = (events: readonly object[]) =>
    asMessages(events).map(({ message, local_message_id }) => [message.local_id, local_message_id])
  const [nothing, first, second] = [
    [undefined, undefined],
    ['1.01', '1.01'],
    ['2.01', '2.01'],
  ]
  assert.deepEqual(idsOf(await waiting), [first, nothing, nothing])
  for (const node of nodeNames) {
    const polled = async (name: keyof typeof queues) => idsOf(await queues[name].poll({}, node))
    assert.deepEqual(await polled('announced'), [first, nothing, nothing], node)
    assert.deepEqual(await polled('moved'), [nothing, second, nothing], node)
    assert.deepEqual(await polled('other'), [nothing, nothing, nothing], node)
    assert.deepEqual(await polled('ottos'), [nothing, nothing, nothing], node)
  }
  await using source = await openEventStream(nodes.b.url, {
    credentials: iris,
    query: { queue_id: queues.announced.queue_id },
  })
  assert.deepEqual(idsOf([JSON.parse((await source.next())?.data ?? '')]), [first])
})

test('a reader gets their own flags or else flagsOfAll, and no flags through all_public_streams', async () => {
  const garden = newStream()
  await subscribe([iris, otto, gus], garden)
  const everywhere = { all_public_streams: true }
  const open = async () => ({
    iris: await openQueue(iris),
    otto: await openQueue(otto, everywhere),
    gus: await openQueue(gus, everywhere),
    owner: await openQueue(owner, everywhere),
    outside: await openQueue(owner),
  })
  const [waiting, late] = [await open(), await open()]
  const polls = Object.entries(waiting).map(([name, queue]) => ({ name, events: queue.take(3) }))
  await listening(5)
  const all = { flagsOfAll: ['wildcard_mentioned'] }
  const mentioned = { [iris.user_id]: ['mentioned', 'wildcard_mentioned'], [owner.user_id]: ['mentioned'] }

  await emitEvents(
    world,
    buildMessage('one', { to: { stream: garden }, isPublic: true, flags: mentioned, ...all }),
    buildMessage('two', { to: { stream: garden }, isPublic: true, flags: { [otto.user_id]: ['read'] } }),
    buildMessage('hidden', { to: { stream: garden }, ...all }),
    buildMessage('private', {
      to: { users: [iris.user_id, owner.user_id] },
      flags: { [owner.user_id]: ['read'] },
    }),
    ...['end', 'end'].map((name) => makeNote(name)),
  )
  await world.settled()

  const flagsOf = (events: readonly object[]) =>
    asMessages(events).flatMap(({ flags }) => (flags ? [flags] : []))
  const [everyone, nobody] = [['wildcard_mentioned'], []]
  const expected: Record<string, string[][]> = {
    iris: [['mentioned', 'wildcard_mentioned'], nobody, everyone, nobody],
    otto: [everyone, ['read'], everyone],
    gus: [everyone, nobody, everyone],
    owner: [nobody, nobody, ['read']],
    outside: [['read']],
  }
  for (const [name, queue] of Object.entries(late))
    for (const node of nodeNames)
      assert.deepEqual(flagsOf(await queue.poll({}, node)), expected[name], `${name} ${node}`)
  for (const { name, events } of polls)
    assert.deepEqual(flagsOf(await events), expected[name], `${name}, who waited`)
})

test('each queue gets raw or rendered content as requested', async () => {
  const [html, raw] = [await openQueue(iris, { apply_markdown: true }), await openQueue(iris)]

  await emitEvents(world, buildMessage('Pruned.', { to: { users: [iris.user_id] } }))

  const messageOf = async (queue: typeof html) => asMessages(await queue.take(1))[0]?.message
  const avatar = { type: 'stream', avatar_url: '/avatar' }
  assert.deepEqual(await messageOf(html), { ...avatar, content: '<p>Pruned.</p>', content_type: 'text/html' })
  assert.deepEqual(await messageOf(raw), { ...avatar, content: 'Pruned.', content_type: 'text/x-markdown' })
})

test('messages deleted together become one event, or one event per message with valid cursors between them', async () => {
  const capabilities = { bulk_message_deletion: true, notification_settings_null: false }
  const bulk = await openQueue(iris, { client_capabilities: capabilities })
  const single = await openQueue(iris)
  const message_ids = [11, 12, 13]
  const gone = { type: 'delete_message', message_type: 'stream', stream_id: 4, topic: 'roses' }

  await emitEvents(
    world,
    { event: { ...gone, message_ids }, eventCount: message_ids.length, to: { users: [iris.user_id] } },
    makeNote('after'),
  )
  await world.settled()

  const all = await single.poll()
  const [first = 0, second = 0, third = 0] = all.map(({ id }) => id)
  assert.deepEqual(
    all.slice(0, 3),
    message_ids.map((message_id, index) => ({ ...gone, id: first + index, message_id })),
  )
  for (const node of nodeNames) {
    assert.deepEqual(await single.poll({ last_event_id: first }, node), all.slice(1), node)
    assert.deepEqual(await single.poll({ last_event_id: second }, node), all.slice(2), node)
    const [deletion, ...rest] = await bulk.poll({}, node)
    assert.deepEqual(deletion, { ...gone, id: third, message_ids }, node)
    assert.deepEqual(rest, all.slice(3), node)
    // A queue with bulk deletion gets all of the messages or none.
    assert.deepEqual(await bulk.poll({ last_event_id: second }, node), [deletion, ...rest], node)
  }
})
