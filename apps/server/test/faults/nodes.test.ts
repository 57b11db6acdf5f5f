import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { faults, startFleet } from '@oxbow/testkit'
import { bySize } from '@oxbow/testkit/size'
import { assertNoQueueLost } from './assert-delivery.ts'

// The faults follow each other in one fleet: each check covers the events since the last one.
const fleet = await startFleet()
after(() => fleet[Symbol.asyncDispose]())

/**
 * Maximum time of a takeover in milliseconds. If the node is suspended during a transaction that
 * holds a lock, PostgreSQL ends the transaction after 5 s. In the gate, two fleets and other tests
 * share the machine.
 */
const takeOverLimit = bySize({ gate: 12_000, long: 8_000 })

test("another node takes over within seconds when the sequencer's node hangs", async () => {
  await fleet.waitForEvents()
  const sequencer = await fleet.sequencerIndex()
  const { url } = fleet.nodes[1 - sequencer] ?? assert.fail()
  const elsewhere = fleet.clients.filter((client) => client.url() === url)
  for (const client of elsewhere) client.forgetPauses()

  await faults.suspendSequencer(fleet)

  const pause = Math.round(Math.max(...elsewhere.map((client) => client.longestPause())))
  process.stdout.write(`the events of ${elsewhere.length} clients paused for ${pause} ms\n`)
  assert.ok(
    elsewhere.length > fleet.clients.length / 4 && pause > 500 && pause < takeOverLimit,
    `${pause} ms`,
  )
  assert.equal(await fleet.sequencerIndex(), 1 - sequencer)
  await fleet.waitForEvents()
  assertNoQueueLost('a stopped sequencer', await fleet.check())
})

const nodeFaults = {
  'no event is lost when a node is killed': faults.killNode,
  'no event is lost when the node of the sequencer is killed': faults.killSequencer,
  'no event is lost when a node is suspended for seconds': faults.suspendNode,
}

for (const [name, fault] of Object.entries(nodeFaults)) {
  test(name, async () => {
    await fleet.waitForEvents()

    await fault(fleet)

    await fleet.waitForEvents()
    assertNoQueueLost(name, await fleet.check())
  })
}

test('nodes that miss half of their notifications miss no event', async () => {
  for (const index of fleet.nodes.keys())
    await fleet.replaceNode(index, { env: { FAULT_DROP_HINTS_PERCENT: '50' } })

  await fleet.waitForEvents(40)

  assertNoQueueLost('half of all hints lost', await fleet.check())
})
