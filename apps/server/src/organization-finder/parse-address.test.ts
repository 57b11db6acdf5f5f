import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from './parse-address.ts'

test('an organization address is parsed from its name, host or URL', () => {
  for (const typed of [
    'garden',
    ' Garden ',
    'garden.chat.example:8443',
    'https://garden.chat.example:8443/login?x#y',
  ])
    assert.equal(parseAddress(typed, 'chat.example:8443'), 'garden', typed)
  assert.equal(parseAddress('HTTPS://chat.example', 'chat.example'), '')
})

test('addresses of other servers and malformed ones are refused', () => {
  for (const typed of [
    '',
    'garden.evil.example',
    'a.b.chat.example',
    '../x',
    'a b',
    'chat.example.evil',
    'x'.repeat(64),
    '@',
  ])
    assert.equal(parseAddress(typed, 'chat.example'), undefined, typed)
})
