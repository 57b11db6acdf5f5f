import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type OrganizationId, Role } from '@oxbow/contract'
import type { Db } from '../../platform/database/database.ts'
import { parseCut } from '../delivery/cut.ts'
import { DeferredWakeups } from '../delivery/deferred-wakeups.ts'
import { Periods } from '../delivery/periods.ts'
import type { Account } from '../delivery/queue.ts'
import { Queue } from '../delivery/queue.ts'
import { YieldingQueue } from '../delivery/yielding-queue.ts'
import type { QueueOptions } from '../queue-options.ts'
import type { Batch } from '../record.ts'
import { OrganizationLog } from './organization-log.ts'

const id = 1 as OrganizationId

const fail = (error: unknown) => assert.ifError(error)

function logAt(
  position: number,
  {
    onInvalidate = () => {},
    onFault = fail,
  }: Partial<Record<'onInvalidate' | 'onFault', (value: unknown) => void>> = {},
) {
  const invalidated: unknown[] = []
  const wake = new YieldingQueue<Queue>(() => {}, fail)
  const log = new OrganizationLog({
    id,
    position,
    droppedTo: 0,
    holes: [],
    // No queue listens, so the database is not read.
    db: {} as Db,
    wake,
    rounds: new DeferredWakeups(wake, () => 0),
    invalidate: (effect) => {
      invalidated.push(effect)
      onInvalidate(effect)
    },
    onFault,
  })
  return { log, invalidated }
}

const batch = (first_seq: number, last_seq: number, records: string | null = '[]'): Batch => ({
  organization_id: id,
  first_seq,
  last_seq,
  records,
})

test('receive applies the next batch, ignores known batches and returns false for a gap', () => {
  const { log } = logAt(5)

  assert.equal(log.receive(batch(6, 7)), true)
  assert.equal(log.receive(batch(6, 7)), true)
  assert.equal(log.receive(batch(9, 9)), false)
  assert.equal(log.position, 7)
})

test('receive returns false for a hole that does not follow the position', () => {
  const { log, invalidated } = logAt(5)

  assert.equal(log.receive(batch(9, 1_000_008, null)), false)
  assert.equal(log.position, 5)
  assert.deepEqual(invalidated, [])

  assert.equal(log.receive(batch(6, 8)), true)
  assert.equal(log.receive(batch(9, 1_000_008, null)), true)
  assert.equal(log.position, 1_000_008)
})

test('cursors inside a hole are invalid, even at numbers that the node had seen, and cursors outside it are valid', () => {
  const { log, invalidated } = logAt(12)

  log.receive(batch(9, 1_000_008, null))

  assert.deepEqual(
    [8, 9, 12, 1_000_007, 1_000_008, 1_000_009].map((cursor) => log.hasMissedEvents(cursor)),
    // A client that registers after the jump begins with the last number of the hole.
    [false, true, true, true, false, false],
  )
  assert.deepEqual(invalidated, ['all'])
})

test('cursors before the last record that skipTo skips are invalid', () => {
  const { log, invalidated } = logAt(5)

  log.skipTo(20)
  log.receive(batch(20, 22))

  assert.deepEqual(
    [0, 4, 5, 6, 18, 19, 20, 22].map((cursor) => log.hasMissedEvents(cursor)),
    [true, true, true, true, true, false, false, false],
  )
  assert.equal(log.position, 22)
  assert.deepEqual(invalidated, ['all'])
})

test('skipTo the number after the position changes nothing', () => {
  const { log, invalidated } = logAt(5)

  for (const first of [3, 6]) log.skipTo(first)

  assert.deepEqual([log.position, log.hasMissedEvents(0), invalidated], [5, false, []])
})

test('confirmedAt is set once the position reaches the confirmed head', () => {
  const { log } = logAt(5)

  log.confirmHead(6, 100)
  assert.equal(log.confirmedAt, Number.NEGATIVE_INFINITY)
  log.receive(batch(6, 6))
  assert.equal(log.confirmedAt, 100)
})

test('public records become pending only for listening, attached queues with all_public_streams', () => {
  const { log } = logAt(0)
  const listener = { wake() {}, end() {}, recheck() {}, cursor: 0 }
  const queueOf = (all_public_streams: boolean) => {
    const account = {
      user_id: 7,
      queues: new Set(),
      streams: new Map(),
      roles: new Periods([{ value: Role.member, from: 0, to: null }]),
    } as unknown as Account
    const options = { all_public_streams, narrow: [], event_types: null } as unknown as QueueOptions
    const queue = new Queue({
      id: '',
      organization_id: id,
      account,
      cut: parseCut(0, '1:1:'),
      options,
      matchesNarrow: undefined,
    })
    log.attach(queue)
    return queue
  }
  const [listeningQueue, silentQueue, detachedQueue, otherQueue] = [
    queueOf(true),
    queueOf(true),
    queueOf(true),
    queueOf(false),
  ]
  for (const queue of [listeningQueue, detachedQueue, otherQueue]) {
    queue.listener = listener
    log.listening.add(queue)
  }
  log.detach(detachedQueue)

  const header = { type: 'message', to: { stream: 4 }, isPublic: true }
  log.receive(batch(1, 1, JSON.stringify([[5, 5, 1, header, '{}']])))

  assert.deepEqual(
    [listeningQueue, silentQueue, detachedQueue, otherQueue].map(
      ({ pendingRecords }) => pendingRecords.length,
    ),
    [1, 0, 0, 0],
  )
})

test('a record that fails midway is reported and never applied again', () => {
  const faults: unknown[] = []
  const broken = { kind: 'organization', subject: 'broken' }
  const { log, invalidated } = logAt(5, {
    onInvalidate: (effect) => {
      if ((effect as typeof broken).subject === 'broken') throw new Error('a fault in a cache')
    },
    onFault: (error) => faults.push(error),
  })
  const effects = [
    { kind: 'organization', subject: 'first' },
    broken,
    { kind: 'organization', subject: 'last' },
  ]
  const records = JSON.stringify(effects.map((effect) => [5, 5, 1, { effects: [effect] }, null]))

  const receive = () => log.receive(batch(6, 8, records))

  assert.equal(receive(), true)
  assert.equal(receive(), true)
  // After the failure everything is invalidated, because the record may have been applied only in part.
  assert.deepEqual(invalidated, [effects[0], broken, 'all', effects[2]])
  assert.equal(log.position, 8)
  assert.equal(faults.length, 1)
})

test('a batch that begins before the position continues the log with its remaining records', () => {
  const { log, invalidated } = logAt(6)
  const effects = ['known', 'new'].map((subject) => ({ kind: 'organization', subject }))
  const records = JSON.stringify(effects.map((effect) => [5, 5, 1, { effects: [effect] }, null]))

  assert.equal(log.receive(batch(6, 7, records)), true)

  assert.deepEqual(invalidated, [effects[1]])
  assert.equal(log.position, 7)
})
