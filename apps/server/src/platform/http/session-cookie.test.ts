import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSessionCookie } from './session-cookie.ts'

const caller = { origin: 'http://garden.example' }
const session_token = 'x'.repeat(43)

test('the session token is read from its cookie, among others and between spaces', () => {
  for (const header of [
    `oxbow=${session_token}`,
    `theme=dark;oxbow=${session_token}`,
    `theme=dark; \toxbow=${session_token} ; a`,
    `oxbow=short; oxbow=${session_token}`,
  ])
    assert.deepEqual(readSessionCookie(caller, { cookie: header }), { session_token }, header)
  for (const header of [
    '',
    'oxbow',
    `oxbow=${session_token}x`,
    `oxbow =${session_token}`,
    `__Host-oxbow=${session_token}`,
  ])
    assert.equal(readSessionCookie(caller, { cookie: header }), undefined, header)
})

test('a cookie header of spaces is read in little processor time', () => {
  const header = `oxbow=x;${' '.repeat(15_900)}z`
  const began = process.threadCpuUsage()
  for (let count = 0; count < 20; count++)
    assert.equal(readSessionCookie(caller, { cookie: header }), undefined)
  assert.ok(process.threadCpuUsage(began).user < 200_000)
})
