import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDatabaseAway } from './database-away.ts'

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
  test(`${name}: ${away ? 'come back later' : 'not that'}`, () => {
    assert.equal(isDatabaseAway(error), away)
  })
}
