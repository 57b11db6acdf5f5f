import { after, test } from 'node:test'
import { faults, startFleet } from '@oxbow/testkit'
import { assertNoQueueLost } from './assert-delivery.ts'

// The faults follow each other in one fleet: each check covers the events since the last one.
const fleet = await startFleet({ nats: true })
after(() => fleet[Symbol.asyncDispose]())

const natsFaults = {
  'NATS is killed and restarted': faults.restartNats,
  'NATS becomes unreachable without closing connections': faults.cutNats,
  'the node of the sequencer is killed while NATS is used': faults.killSequencer,
}

for (const [name, fault] of Object.entries(natsFaults)) {
  test(`no event is lost when ${name}`, async () => {
    await fleet.waitForEvents()

    await fault(fleet)

    await fleet.waitForEvents()
    assertNoQueueLost(name, await fleet.check())
  })
}

test('no event is lost when NATS drops half of its messages', async () => {
  for (const index of fleet.nodes.keys())
    await fleet.replaceNode(index, { env: { FAULT_DROP_HINTS_PERCENT: '50' } })

  await fleet.waitForEvents(40)

  assertNoQueueLost('half of what NATS carries lost', await fleet.check())
})
