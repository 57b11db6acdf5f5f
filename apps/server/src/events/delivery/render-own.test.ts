import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OrganizationId, UserId } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import type { EventShape, Loaded } from '../event-shape.ts'
import type { Header, LogRecord } from '../record.ts'
import { Periods } from './periods.ts'
import type { Queue } from './queue.ts'
import { EventRenderer } from './render.ts'

const organization = 1 as OrganizationId
const db = {} as Db
const garden = 4
const [iris, otto, outsider] = [7, 8, 9] as [UserId, UserId, UserId]

const recordOf = (header: Header, event: object = {}, seq = 5): LogRecord => ({
  seq,
  eventCount: 1,
  tx: 1,
  outboxId: seq,
  event: JSON.stringify({ type: 'said', text: 'roses', ...event }),
  header: { type: 'said', to: { stream: garden }, ...header },
})

/** Makes a queue. All accounts except the outsider are subscribed to the stream "garden". */
function queueOf(user_id: UserId, id = `of ${user_id}`): Queue {
  const subscription = new Periods([{ value: true, from: 0, to: null }])
  const streams = new Map(user_id === outsider ? [] : [[garden, subscription]])
  return { id, options: {}, account: { user_id, streams, roles: new Periods() } } as unknown as Queue
}

const parsed = (events: readonly { json: string }[]) => events.map(({ json }) => JSON.parse(json))
const expected = (fields: object) => ({ id: 5, type: 'said', text: 'roses', ...fields })

test('shared flags are appended once, and flags of a single reader only for that reader', () => {
  const renderer = new EventRenderer(db, [])
  const flagsOfAll = ['wildcard_mentioned']
  const record = recordOf({ flags: { [otto]: ['read', 'wildcard_mentioned'] }, flagsOfAll })
  const render = (user: UserId, id?: string) => renderer.render(record, queueOf(user, id), 0)

  assert.deepEqual(parsed(render(iris)), [expected({ flags: flagsOfAll })])
  assert.deepEqual(parsed(render(otto)), [expected({ flags: ['read', 'wildcard_mentioned'] })])
  assert.deepEqual(parsed(render(outsider)), [expected({ flags: [] })])
  assert.equal(render(iris), render(iris, 'another'))
  assert.equal(render(outsider), render(outsider, 'another'))
  assert.notEqual(render(otto), render(otto, 'another'))
})

test('all readers share one list of events if none has flags of their own', () => {
  const renderer = new EventRenderer(db, [])
  const record = recordOf({ flags: {} })

  assert.deepEqual(parsed(renderer.render(record, queueOf(iris), 0)), [expected({ flags: [] })])
  assert.equal(renderer.render(record, queueOf(iris), 0), renderer.render(record, queueOf(outsider), 0))
  assert.deepEqual(renderer.render(record, queueOf(iris), 5), [])
  assert.deepEqual(parsed(renderer.render(recordOf({}), queueOf(iris), 0)), [expected({})])
})

test('local_id is added only for the named queue of the named account', () => {
  const shape: EventShape = {
    type: 'said',
    variant: () => 'plain',
    render: (event) => [event],
    renderForAccount: (event, part, variant) => [JSON.stringify({ text: event.text, part, variant })],
  }
  const [appending, replacing] = [new EventRenderer(db, []), new EventRenderer(db, [shape])]
  const echo = { queue: 'the one', user: iris, local_id: '1.01' }
  const record = recordOf({ flags: { [iris]: ['read'] }, echo })
  const render = (renderer: EventRenderer, queue: Queue) => parsed(renderer.render(record, queue, 0))

  const [namedQueue, otherQueue, foreignQueue] = [
    queueOf(iris, 'the one'),
    queueOf(iris),
    queueOf(otto, 'the one'),
  ]
  assert.deepEqual(render(appending, namedQueue), [expected({ local_id: '1.01', flags: ['read'] })])
  assert.deepEqual(render(replacing, namedQueue), [
    { id: 5, text: 'roses', part: { local_id: '1.01' }, variant: 'plain', flags: ['read'] },
  ])
  for (const renderer of [appending, replacing]) {
    assert.deepEqual(render(renderer, otherQueue), [expected({ flags: ['read'] })])
    assert.deepEqual(render(renderer, foreignQueue), [expected({ flags: [] })])
  }
  const withPart = recordOf({ parts: { [iris]: { color: 'red' } }, echo })
  assert.deepEqual(parsed(appending.render(withPart, namedQueue, 0)), [
    expected({ color: 'red', local_id: '1.01' }),
  ])
})

/** Makes an event shape with loaded fields that differ for each reader. */
function makeReaderShape(overrides: Partial<EventShape> = {}) {
  const calls = { load: 0, render: [] as unknown[] }
  const shape: EventShape = {
    type: 'said',
    variant: () => '',
    load(_db, _organization, record) {
      calls.load++
      if (record.event?.includes('plain')) return undefined
      return Promise.resolve(new Map([[iris, '["starred"]']]))
    },
    render(event, _variant, loaded) {
      calls.render.push(loaded)
      return [event]
    },
    readerFields(user_id: UserId, loaded: Loaded | undefined) {
      return loaded && { marks: JSON.parse(loaded.get(user_id) ?? '["read"]') }
    },
    ...overrides,
  }
  return { shape, calls }
}

test('readerFields use data loaded once, and the shared events are rendered once', async () => {
  const { shape, calls } = makeReaderShape()
  const renderer = new EventRenderer(db, [shape])
  const record = recordOf({})
  assert.throws(() => renderer.render(record, queueOf(iris), 0), /before it is loaded/)

  const loadedData = await renderer.load(organization, [record])
  const render = (user: UserId) => parsed(renderer.render(record, queueOf(user), 0, loadedData))

  assert.deepEqual(render(iris), [expected({ marks: ['starred'] })])
  assert.deepEqual(render(otto), [expected({ marks: ['read'] })])
  assert.deepEqual(render(iris), [expected({ marks: ['starred'] })])
  assert.deepEqual(calls, { load: 1, render: [undefined] })
  // The shared events are cached, but rendering still needs the loaded fields of the reader.
  assert.throws(() => renderer.render(record, queueOf(iris), 0), /before it is loaded/)
  assert.equal(renderer.countReady([record], new Map()), 0)
})

test('an event can combine fields loaded for the reader, fields emitted per account, flags and local_id, or have none of them', async () => {
  const { shape } = makeReaderShape()
  const renderer = new EventRenderer(db, [shape])
  const echo = { queue: 'the one', user: iris, local_id: '1.01' }
  const full = recordOf({ flags: {}, flagsOfAll: ['all'], parts: { [otto]: { color: 'red' } }, echo })
  const plain = recordOf({ flags: {} }, { text: 'plain' }, 6)
  const loadedData = await renderer.load(organization, [full, plain])
  const render = (record: LogRecord, queue: Queue) => parsed(renderer.render(record, queue, 0, loadedData))

  assert.equal(renderer.countReady([full, plain], loadedData), 2)
  assert.deepEqual(render(full, queueOf(iris, 'the one')), [
    expected({ local_id: '1.01', marks: ['starred'], flags: ['all'] }),
  ])
  assert.deepEqual(render(full, queueOf(otto)), [expected({ color: 'red', marks: ['read'], flags: ['all'] })])
  assert.deepEqual(render(plain, queueOf(iris)), [expected({ id: 6, text: 'plain', flags: [] })])
  assert.equal(
    renderer.render(plain, queueOf(iris), 0, loadedData),
    renderer.render(plain, queueOf(otto), 0, loadedData),
  )
  const rendering = makeReaderShape({
    renderForAccount: (_event, part, _variant, loaded) => [JSON.stringify({ part, all: loaded?.size })],
  })
  const replacing = new EventRenderer(db, [rendering.shape])
  const again = await replacing.load(organization, [full])
  assert.deepEqual(parsed(replacing.render(full, queueOf(otto), 0, again)), [
    { id: 5, part: { color: 'red' }, all: 1, marks: ['read'], flags: ['all'] },
  ])
})
