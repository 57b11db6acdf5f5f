import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeSecrets } from '../secrets/secrets.ts'
import { isRequestToken, makeRequestToken } from './request-token.ts'

const secrets = makeSecrets('a'.repeat(43))

test('a token is accepted for an hour by servers with the same secret', () => {
  const token = makeRequestToken(secrets)
  assert.equal(isRequestToken(secrets, token), true)
  assert.equal(isRequestToken(makeSecrets('b'.repeat(43)), token), false)
  for (const minutes of [-61, 61])
    assert.equal(isRequestToken(secrets, makeRequestToken(secrets, Date.now() + minutes * 60_000)), false)
})

test('malformed tokens are refused without an error', () => {
  const token = makeRequestToken(secrets)
  for (const each of [undefined, [token], '', `0${token}`, `${token}x`, token.replace('.', ''), `-${token}`])
    assert.equal(isRequestToken(secrets, each), false, String(each))
})
