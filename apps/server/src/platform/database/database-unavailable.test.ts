import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainUnavailability, isDatabaseUnavailable } from './database-unavailable.ts'

const errors: [string, object, boolean][] = [
  ['nobody listens', { code: 'ECONNREFUSED' }, true],
  ['the socket is missing', { code: 'ENOENT', syscall: 'connect' }, true],
  ['shut down under us', { code: '57P01' }, true],
  ['a connection broke', { message: 'Connection terminated unexpectedly' }, true],
  ['a statement took too long behind a lock', { code: '57014' }, true],
  ['a lock was not to be had', { code: '55P03' }, true],
  ['others were always faster', { code: '40P01' }, true],
  ['a file is missing', { code: 'ENOENT', syscall: 'open' }, false],
  ['a broken constraint', { code: '23505' }, false],
  ['a mistake of ours', new TypeError('x is not a function'), false],
]
for (const [name, error, away] of errors) {
  test(`${name} ${away ? 'counts as an outage' : 'does not count as an outage'}`, () => {
    assert.equal(isDatabaseUnavailable(error), away)
  })
}

test('failures of one statement are distinguished from outages', () => {
  const reasonOf = (code: string) => explainUnavailability(Object.assign(new Error(), { code }))

  assert.deepEqual(reasonOf('ECONNREFUSED'), { reason: 'PostgreSQL cannot be reached', isOutage: true })
  assert.deepEqual(reasonOf('53100'), { reason: 'the disk of PostgreSQL is full', isOutage: true })
  for (const code of ['57014', '55P03', '40001', '40P01', '53200']) {
    assert.equal(reasonOf(code)?.isOutage, false)
    assert.doesNotMatch(reasonOf(code)?.reason ?? '', /reached/)
  }
  assert.equal(explainUnavailability(new Error('Query read timeout'))?.isOutage, false)
})
