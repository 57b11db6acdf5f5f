import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogCapture } from './log-capture.ts'

const replaced = { level: 'warn', msg: 'the sequencer stood still; this node ended its session' }
const broken = {
  level: 'warn',
  msg: 'oxbow sequencer: the session with PostgreSQL broke',
  err: { code: '57P01', message: 'terminating connection due to administrator command' },
}
const deadlock = {
  level: 'warn',
  msg: 'a request was refused with 503: every attempt of a transaction ended in a deadlock',
}
const notSaved = 'the last poll times were not saved; some queues may expire early'
const crash = { level: 'error', msg: 'unhandled error while serving a request' }

/** Returns what `problems` returns for these entries. */
function findProblems(...entries: object[]): object[] {
  const log = new LogCapture()
  // Not by `write`, which would print these with the next failure of a test.
  log.lines.push(...entries.map((entry) => JSON.stringify(entry)))
  return log.problems()
}

test('problems of a log exclude warnings that only a slow machine causes', () => {
  const slow = [
    replaced,
    broken,
    { level: 'warn', msg: 'a request was refused with 503: a statement took too long' },
    { level: 'warn', msg: notSaved, err: { message: 'Query read timeout' } },
    { level: 'info', msg: 'anything' },
  ]
  assert.deepEqual(findProblems(...slow), [])
  assert.deepEqual(findProblems(...slow, crash, deadlock), [crash, deadlock])
})

test('problems of a log exclude lost sessions and unread heads only after a silence of PostgreSQL', () => {
  const silence = {
    level: 'warn',
    msg: 'oxbow log: the session with PostgreSQL broke',
    err: { message: 'Query read timeout' },
  }
  const unread = {
    level: 'warn',
    msg: 'the heads of the event log could not be read',
    err: { message: 'Connection terminated' },
  }
  assert.deepEqual(findProblems(silence, unread), [])
  assert.deepEqual(findProblems(unread), [unread])
  assert.deepEqual(findProblems(silence, broken), [broken])
})

test('problems of a log include warnings that a slow machine does not explain', () => {
  const missing = { level: 'warn', msg: notSaved, err: { code: '42P01', message: 'no such table' } }
  assert.deepEqual(findProblems(broken, missing), [broken, missing])
})
