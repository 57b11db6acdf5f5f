import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { OrganizationId } from '@oxbow/contract'
import { openQueue, startWorld } from '@oxbow/testkit'
import { waitUntilListening } from '@oxbow/testkit/calls/listening'
import { emit } from '../events/emit.ts'
import { lockRoles } from '../platform/database/locks.ts'
import { inTransaction } from '../platform/database/transaction.ts'

const world = await startWorld({ checked: false })
after(() => world[Symbol.asyncDispose]())
const organization_id = world.organization_id as OrganizationId
const iris = await world.person('iris')

/** Emits one event to all accounts, either deferred or immediate. */
const emitNumber = (number: number, isDeferred: boolean) =>
  inTransaction(world.nodes.b.app.db, async (tx) => {
    await lockRoles(tx, organization_id, 'shared')
    const event = { type: 'weather', number }
    emit(tx, { organization_id, event, to: { roles: 'everyone' }, ...(isDeferred && { deferred: true }) })
  })

const numbersIn = (events: readonly object[]) => events.map((event) => (event as { number: number }).number)

/** Opens polls that wait until the world ends. The interval between rounds grows by a millisecond per poll. */
async function openPolls(count: number): Promise<void> {
  const queueIds: string[] = []
  for (let index = 0; index < count; index++) {
    const queue = await openQueue(iris, { event_types: ['nothing'] })
    queueIds.push(queue.queue_id)
    // A poll ends with a heartbeat after a minute, which is less than a slow machine needs for all of them.
    const waitAgain = (): Promise<unknown> => queue.poll().then(waitAgain)
    void waitAgain().catch(() => {})
  }
  for (const queueId of queueIds) await waitUntilListening(world, queueId, 'a')
}

test('deferred events arrive after a delay, or in order together with the next immediate event', async () => {
  const queue = await openQueue(iris, { event_types: ['weather'] })
  await emitNumber(1, true)
  assert.deepEqual(numbersIn(await queue.take(1)), [1])

  await emitNumber(2, true)
  await emitNumber(3, false)

  assert.deepEqual(numbersIn(await queue.take(2)), [2, 3])
})

test('a poll with dont_block gets deferred events at once', async () => {
  const queue = await openQueue(iris, { event_types: ['weather'] })
  await emitNumber(4, true)
  await world.settled()

  assert.deepEqual(numbersIn(await queue.rest()), [4])
})

test('with many listeners deferred events arrive in rounds, and all events arrive in order', async () => {
  const polls = 250
  await openPolls(polls)
  const queue = await openQueue(iris, { event_types: ['weather'] })
  let responseCount = 0
  const received: number[] = []
  const client = (async () => {
    while (received.at(-1) !== 100) {
      received.push(...numbersIn(await queue.take(1)))
      responseCount++
    }
  })()

  const started = performance.now()
  for (let number = 10; number < 60; number++) await emitNumber(number, true)
  await emitNumber(100, false)
  await client
  const rounds = (performance.now() - started) / polls

  assert.deepEqual(received, [...Array.from({ length: 50 }, (_, index) => index + 10), 100])
  // The immediate event is delivered between two rounds, and a round may begin right after the start.
  assert.ok(responseCount <= rounds + 2, `${responseCount} responses in the time of ${rounds} rounds`)
})
