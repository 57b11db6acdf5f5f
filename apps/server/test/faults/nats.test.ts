import { test } from 'node:test'
import { faults, startFleet } from '@oxbow/testkit'
import { assertNoQueueLost } from './assert-delivery.ts'

const natsFaults = {
  'NATS is killed and restarted': faults.restartNats,
  'NATS becomes unreachable without closing connections': faults.cutNats,
  'the node of the sequencer is killed while NATS is used': faults.killSequencer,
}

for (const [name, fault] of Object.entries(natsFaults)) {
  test(`no event is lost when ${name}`, async () => {
    await using fleet = await startFleet({ nats: true })
    await fleet.waitForEvents()

    await fault(fleet)

    await fleet.waitForEvents()
    assertNoQueueLost(name, await fleet.check())
  })
}

test('no event is lost when NATS drops half of its messages', async () => {
  await using fleet = await startFleet({ nats: true, env: { FAULT_DROP_HINTS_PERCENT: '50' } })

  await fleet.waitForEvents(40)

  assertNoQueueLost('half of what NATS carries lost', await fleet.check())
})
