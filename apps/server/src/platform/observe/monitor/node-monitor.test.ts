import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually, startWorld } from '@oxbow/testkit'
import type { MeasuredFiles } from '../../files/measured-files.ts'
import { NodeMonitor } from './node-monitor.ts'

test('a state has a time once it has changed, and none while it works since the start', async () => {
  await using world = await startWorld()
  const node = { isCutOff: false, outboxAgeMs: 0 }
  const monitor = new NodeMonitor({
    app: world.nodes.a.app,
    files: { isFailing: false } as MeasuredFiles,
    isCutOff: () => node.isCutOff,
    outboxAgeMs: () => node.outboxAgeMs,
    // Only the first observation asks the database, so only `node` changes states.
    intervalMs: 1_000_000,
  })
  const findEvents = () => monitor.listStates().find(({ component }) => component === 'events')?.observed
  assert.deepEqual(monitor.listStates(), [])
  const begun = Date.now()
  monitor.start()
  try {
    assert.deepEqual(await eventually(findEvents), { state: 'working', since: undefined })

    node.outboxAgeMs = 60_000
    const late = findEvents()
    assert.equal(late?.state, 'down')
    assert.ok(Number(late?.since) >= begun)
    assert.deepEqual(findEvents(), late)

    node.outboxAgeMs = 0
    const working = findEvents()
    assert.equal(working?.state, 'working')
    assert.ok(Number(working?.since) >= Number(late?.since))
  } finally {
    monitor.stop()
  }
})
