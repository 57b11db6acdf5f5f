import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toNextPath } from './next-path.ts'

test('paths of the same origin are kept with their query and fragment', () => {
  for (const path of ['/', '/?a=b', '/integrations?search=git#top', '/a/b%2Fc', '/#narrow/stream/1'])
    assert.equal(toNextPath(path), path)
})

test('paths that a browser would resolve to another site are replaced by the start page', () => {
  const foreign = [
    undefined,
    '',
    'evil.example',
    'https://evil.example/',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    '/\\\t/evil.example',
    `/${'a'.repeat(3_000)}`,
  ]
  for (const next of foreign) assert.equal(toNextPath(next), '/', JSON.stringify(next))
  for (const next of ['/ \r\nset-cookie: a=b', '/ü?q=ö'])
    assert.match(toNextPath(next), /^[\x21-\x7e]+$/, 'a header can contain it')
})
