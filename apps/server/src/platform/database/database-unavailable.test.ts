import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainUnavailability, isDatabaseUnavailable } from './database-unavailable.ts'

const errors: [string, object, boolean][] = [
  ['a refused connection', { code: 'ECONNREFUSED' }, true],
  ['a missing socket', { code: 'ENOENT', syscall: 'connect' }, true],
  ['a shutdown of PostgreSQL', { code: '57P01' }, true],
  ['a broken connection', { message: 'Connection terminated unexpectedly' }, true],
  ['a statement timeout', { code: '57014' }, true],
  ['a lock timeout', { code: '55P03' }, true],
  ['a repeated deadlock', { code: '40P01' }, true],
  ['a missing file', { code: 'ENOENT', syscall: 'open' }, false],
  ['a violated constraint', { code: '23505' }, false],
  ['a bug in the code', new TypeError('x is not a function'), false],
]
for (const [name, error, isUnavailable] of errors) {
  test(`${name} ${isUnavailable ? 'means' : 'does not mean'} that the database is unavailable`, () => {
    assert.equal(isDatabaseUnavailable(error), isUnavailable)
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
