import { test } from 'node:test'
import { faults, startFleet } from '@oxbow/testkit'
import { assertNoQueueLost } from './assert-delivery.ts'

const absences = {
  'NATS dies and comes back': faults.restartNats,
  'NATS is cut off without a word': faults.cutNats,
  'the node that numbers the events dies while NATS carries them': faults.killSequencer,
}

for (const [name, fault] of Object.entries(absences)) {
  test(`${name}, and no event is lost`, async () => {
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
