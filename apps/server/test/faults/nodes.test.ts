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
  const takeovers: Takeover[] = []
  // A node or a client that stalls affects the time, so a slow or unclear result is measured again.
  while (takeovers.length < 3 && !takeovers.some(isInTime)) takeovers.push(await suspendSequencer())
  assert.ok(takeovers.some(isInTime), JSON.stringify(takeovers))
  await fleet.waitForEvents()
  assertNoQueueLost('a stopped sequencer', await fleet.check())
})

interface Takeover {
  /** Number of clients of the node that became the sequencer. */
  clients: number
  /** The longest time for which one of these clients received no events, in milliseconds. */
  pause: number
  /** Whether the other node is the sequencer afterwards. */
  hasMoved: boolean
}

const isInTime = ({ clients, pause, hasMoved }: Takeover): boolean =>
  clients > fleet.clients.length / 4 && pause > 500 && pause < takeOverLimit && hasMoved

/** Suspends the node of the sequencer, and measures its effect on the clients of the other node. */
async function suspendSequencer(): Promise<Takeover> {
  // After another measurement, all clients are on one node.
  for (const client of fleet.clients) client.useFirstNode()
  await fleet.waitForEvents()
  const sequencer = await fleet.sequencerIndex()
  const { url } = fleet.nodes[1 - sequencer] ?? assert.fail()
  const elsewhere = fleet.clients.filter((client) => client.url() === url)
  for (const client of elsewhere) client.forgetPauses()

  await faults.suspendSequencer(fleet)

  const pause = Math.round(Math.max(...elsewhere.map((client) => client.longestPause())))
  process.stdout.write(`the events of ${elsewhere.length} clients paused for ${pause} ms\n`)
  const hasMoved = (await fleet.sequencerIndex()) === 1 - sequencer
  return { clients: elsewhere.length, pause, hasMoved }
}

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
