import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import { runCutTrial } from './trial.ts'

const { registers, writers } = bySize({
  gate: { registers: 150, writers: 20 },
  long: { registers: 2_000, writers: 40 },
})

test(`a registered state and the events of its queue add up to the final state: ${registers} registers, ${writers} writers`, async (t) => {
  const { missing, repeated, different, ...size } = await runCutTrial({ registers, writers })

  t.diagnostic(JSON.stringify(size))
  assert.deepEqual({ missing, repeated, different }, { missing: 0, repeated: 0, different: 0 })
  assert.equal(size.registers >= registers, true)
  assert.ok(size.takeOvers > 0, 'the sequencer was killed meanwhile')
  assert.ok(size.events > 0, 'events came after registers')
})
