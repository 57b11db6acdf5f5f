import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAccount } from './account.ts'

test('the cookie names the account and whether the device may store data', () => {
  assert.deepEqual(readAccount('oxbow-account=7'), { user_id: 7, isTrusted: false })
  assert.deepEqual(readAccount('a=b; __Host-oxbow-account=7.trusted; c=d'), { user_id: 7, isTrusted: true })
})

test('malformed cookies give no account', () => {
  for (const cookies of ['', 'oxbow-account=', 'oxbow-account=7x', 'oxbow-account=0', 'my-oxbow-account=7'])
    assert.equal(readAccount(cookies), undefined, cookies)
})
