import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId, UserId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import type { EventShape } from '../event-shape.ts'
import type { Header, LogRecord } from '../record.ts'
import type { Queue } from './queue.ts'
import { EventRenderer } from './render.ts'

const organization = 1 as OrganizationId
const db = { is: 'the database' } as unknown as Db

const recordOf = (
  seq: number,
  event: object,
  record: Partial<LogRecord> & { header?: Header } = {},
): LogRecord => ({
  seq,
  eventCount: 1,
  tx: 1,
  outboxId: seq,
  event: JSON.stringify({ type: 'list', ...event }),
  ...record,
  header: { type: 'list', ...record.header },
})

const queueOf = (user_id: number, options: object = {}) =>
  ({ options, account: { user_id } }) as unknown as Queue
const anyone = queueOf(1)

/** Makes an event shape for lists. Their members are loaded, and some accounts have fields of their own. */
function makeLists(overrides: Partial<EventShape> = {}) {
  const calls = { load: 0, render: 0 }
  const shape: EventShape = {
    type: 'list',
    variant: ({ include_subscribers }) => (include_subscribers ? 'whole' : 'short'),
    load(_db, _organization, record) {
      calls.load++
      return record.event?.includes('later') ? Promise.resolve(new Map([[1, '[7,8]']])) : undefined
    },
    render(event, variant, loaded) {
      calls.render++
      const { name } = event
      if (loaded) return [`{"name":"${name}","members":${loaded.get(1)}}`]
      return [{ name, variant }]
    },
    ...overrides,
  }
  return { shape, calls }
}

const parsed = (events: readonly { json: string }[]) => events.map(({ json }) => JSON.parse(json))

test('a record without loaded data needs no promise and is rendered once per variant', () => {
  const { shape, calls } = makeLists()
  const renderer = new EventRenderer(db, [shape])
  const record = recordOf(5, { name: 'a' })
  const withSubscribers = queueOf(1, { include_subscribers: true })

  for (const queue of [anyone, withSubscribers, anyone, withSubscribers]) {
    const loadedData = renderer.load(organization, [record])
    assert.ok(!(loadedData instanceof Promise))
    renderer.render(record, queue, 0, loadedData)
  }

  assert.deepEqual(calls, { load: 1, render: 2 })
  assert.equal(renderer.render(record, anyone, 0), renderer.render(record, queueOf(2), 0))
  assert.deepEqual(parsed(renderer.render(record, withSubscribers, 0)), [
    { id: 5, name: 'a', variant: 'whole' },
  ])
})

test('load runs once for concurrent and later callers, and gets the database and the record', async () => {
  const received: unknown[] = []
  const load: EventShape['load'] = async (...args) => {
    received.push(args)
    return new Map([[1, '[7]']])
  }
  const renderer = new EventRenderer(db, [makeLists({ load }).shape])
  const record = recordOf(5, { name: 'a' })

  const loads = [renderer.load(organization, [record]), renderer.load(organization, [record])]
  for (const loadedData of loads) assert.ok(loadedData instanceof Promise)
  await Promise.all(loads)
  // A record that is read from the database again is another object with the same number.
  const again = renderer.load(organization, [recordOf(5, { name: 'a' })])
  const elsewhere = renderer.load(2 as OrganizationId, [record])

  assert.ok(!(again instanceof Promise))
  assert.deepEqual(parsed(renderer.render(record, anyone, 0, again)), [{ id: 5, name: 'a', members: [7] }])
  assert.deepEqual(received, [
    [db, organization, record],
    [db, 2, record],
  ])
  await elsewhere
})

test('events made of loaded texts are not cached', async () => {
  const { shape, calls } = makeLists()
  const renderer = new EventRenderer(db, [shape])
  const record = recordOf(5, { name: 'later' })
  const loadedData = await renderer.load(organization, [record])

  for (let time = 0; time < 3; time++) renderer.render(record, anyone, 0, loadedData)

  assert.deepEqual(calls, { load: 1, render: 3 })
  assert.throws(() => renderer.render(record, anyone, 0), /before it is loaded/)
})

test('a caller can render with its loaded data after the cache has evicted it', async () => {
  const { shape, calls } = makeLists()
  const renderer = new EventRenderer(db, [shape], 10)
  const [first, second] = [recordOf(5, { name: 'later' }), recordOf(6, { name: 'later too' })]

  const loadedData = await renderer.load(organization, [first])
  const loaded = await renderer.load(organization, [first, second], loadedData)

  assert.equal(renderer.countReady([first, second], loaded), 2)
  assert.deepEqual(calls.load, 2)
  assert.ok(!(renderer.load(organization, [first, second], loaded) instanceof Promise))
})

test('only the first records that need loading are loaded, and records that need no data are ready', async () => {
  const { shape, calls } = makeLists()
  const renderer = new EventRenderer(db, [shape])
  const records = Array.from({ length: 60 }, (_, index) =>
    recordOf(index, { name: index % 2 ? 'later' : 'plain' }, index % 3 ? {} : { header: { type: 'other' } }),
  )
  const needing = ({ event, header }: LogRecord) => header.type === 'list' && event?.includes('later')

  const loadedData = await renderer.load(organization, records)

  const count = renderer.countReady(records, loadedData)
  assert.equal(records.slice(0, count).filter(needing).length, 20)
  assert.equal(loadedData.size, 20)
  assert.ok(calls.load < records.length)
  const rest = records.slice(count)
  assert.equal(renderer.countReady(rest, await renderer.load(organization, rest)), rest.length)
})

test('renderForAccount is used for accounts with own fields, and render for all others', async () => {
  const renderForAccount: EventShape['renderForAccount'] = (event, part, variant, loaded) =>
    Object.entries(part).map(
      ([key, value]) => `{"own":${JSON.stringify([event.name, key, value, variant, loaded?.get(1)])}}`,
    )
  const renderer = new EventRenderer(db, [makeLists({ renderForAccount }).shape])
  const record = recordOf(
    9,
    { name: 'later' },
    { eventCount: 3, header: { parts: { 1: { a: 'x', b: 'y' }, 3: {} } } },
  )
  const loadedData = await renderer.load(organization, [record])

  const own = (key: string, value: string) => ['later', key, value, 'short', '[7,8]']
  const [a, b] = [
    { id: 8, own: own('a', 'x') },
    { id: 9, own: own('b', 'y') },
  ]
  assert.deepEqual(parsed(renderer.render(record, anyone, 6, loadedData)), [a, b])
  assert.deepEqual(parsed(renderer.render(record, anyone, 8, loadedData)), [b])
  assert.deepEqual(parsed(renderer.render(record, queueOf(2), 6, loadedData)), [
    { id: 9, name: 'later', members: [7, 8] },
  ])
  assert.deepEqual(renderer.render(record, queueOf(3), 6, loadedData), [])
})

test('own fields are appended without renderForAccount, and flags are appended in either case', () => {
  const users = [1, 2] as UserId[]
  const header = { to: { users }, parts: { 1: { secret: 'roses' } }, flags: { 1: ['read'] } }
  const record = recordOf(9, { name: 'plain' }, { header })
  const appending = new EventRenderer(db, [])
  const replacing = new EventRenderer(db, [
    {
      ...makeLists().shape,
      load: () => undefined,
      renderForAccount: (_event, part) => [JSON.stringify({ part })],
    },
  ])
  replacing.load(organization, [record])

  const type = 'list'
  assert.deepEqual(parsed(appending.render(record, anyone, 0)), [
    { id: 9, type, name: 'plain', secret: 'roses', flags: ['read'] },
  ])
  assert.deepEqual(parsed(appending.render(record, queueOf(2), 0)), [
    { id: 9, type, name: 'plain', flags: [] },
  ])
  assert.deepEqual(parsed(replacing.render(record, anyone, 0)), [
    { id: 9, part: { secret: 'roses' }, flags: ['read'] },
  ])
})

test('all queues whose cursors are before a record share the same list of its events', () => {
  const render = () => Array.from({ length: 10_000 }, (_, index) => ({ place: index }))
  const shape: EventShape = { type: 'list', variant: () => '', render }
  const renderer = new EventRenderer(db, [shape])
  const record = recordOf(20_000, {}, { eventCount: 10_000 })

  const [firstList, secondList] = [1, 2].map((user) => renderer.render(record, queueOf(user), 10_000))

  assert.equal(firstList, secondList)
  assert.equal(firstList?.length, 10_000)
  assert.deepEqual(
    [firstList?.[0]?.id, firstList?.at(-1)?.id, renderer.render(record, anyone, 19_999).length],
    [10_001, 20_000, 1],
  )
})
