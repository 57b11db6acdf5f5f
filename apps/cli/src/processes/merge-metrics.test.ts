import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeMetrics } from './merge-metrics.ts'

const textOf = (process: number) => `# HELP seconds Time to answer.
# TYPE seconds histogram
seconds_bucket{le="1",process="${process}"} 3
seconds_count{process="${process}"} 3

# HELP open Open things.
# TYPE open gauge
open{process="${process}"} ${process}
`

test('merged metrics have each description once, followed by the samples of all processes', () => {
  assert.equal(
    mergeMetrics([textOf(1), '', textOf(2)]),
    `# HELP seconds Time to answer.
# TYPE seconds histogram
seconds_bucket{le="1",process="1"} 3
seconds_count{process="1"} 3
seconds_bucket{le="1",process="2"} 3
seconds_count{process="2"} 3

# HELP open Open things.
# TYPE open gauge
open{process="1"} 1
open{process="2"} 2

`,
  )
})

test('metrics that only one process has are kept', () => {
  const merged = mergeMetrics([textOf(1), '# HELP rare Rare.\n# TYPE rare counter\nrare{process="2"} 1\n'])
  assert.match(merged, /^# TYPE rare counter\nrare\{process="2"\} 1$/m)
})
