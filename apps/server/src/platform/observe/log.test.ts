import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { FailureLog } from './log.ts'

function capture() {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  const failures = new FailureLog(log, { failed: 'the tide is out', recovered: 'the tide is back' })
  const logged = () => lines.map((line) => JSON.parse(line)).map(({ msg, failures }) => [msg, failures])
  return { failures, logged }
}

test('repeated failures are logged once, and the recovery is logged once', () => {
  const { failures, logged } = capture()

  failures.succeeded()
  for (let round = 0; round < 5; round++) failures.failed(new Error('low'))
  failures.succeeded()
  failures.succeeded()
  failures.failed(new Error('low'))

  assert.deepEqual(logged(), [
    ['the tide is out', undefined],
    ['the tide is back', 5],
    ['the tide is out', undefined],
  ])
})

test('each reason of a failure is logged once, and the number of remembered reasons is bounded', () => {
  const { failures, logged } = capture()

  for (let round = 0; round < 3; round++)
    for (const code of ['ECONNREFUSED', '57P03']) failures.failed(Object.assign(new Error(), { code }))
  assert.equal(logged().length, 2)
  for (let round = 0; round < 1_000; round++) failures.failed(new Error(`reason ${round}`))

  assert.equal(logged().length, 20)
})
