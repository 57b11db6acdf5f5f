import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAddress } from './parse-address.ts'

test('parseAddress accepts the subdomain, host or URL of an organization', () => {
  for (const typed of [
    'garden',
    ' Garden ',
    'garden.chat.example:8443',
    'https://garden.chat.example:8443/login?x#y',
  ])
    assert.equal(parseAddress(typed, 'chat.example:8443'), 'garden', typed)
  assert.equal(parseAddress('HTTPS://chat.example', 'chat.example'), '')
})

test('parseAddress refuses addresses of other servers and malformed ones', () => {
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

test('parseAddress reads a long text with many slashes in linear time', () => {
  const began = process.threadCpuUsage()
  parseAddress(`${'/'.repeat(100_000)}\nx`, 'chat.example')
  // Searching from each slash takes ten seconds.
  assert.ok(process.threadCpuUsage(began).user < 1_000_000)
})
