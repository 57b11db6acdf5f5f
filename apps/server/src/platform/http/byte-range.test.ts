import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRange } from './byte-range.ts'

const ranges: [header: string | undefined, expected: ReturnType<typeof parseRange>][] = [
  [undefined, undefined],
  ['bytes=0-9', { start: 0, end: 9 }],
  ['bytes=5-', { start: 5, end: 99 }],
  ['bytes=-10', { start: 90, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=99-99', { start: 99, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=100-200', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=9-5', undefined],
  ['bytes=0-1,5-6', undefined],
  ['bytes=-', undefined],
  ['items=0-9', undefined],
  ['bytes=0-9999999999999999', undefined],
]
for (const [header, expected] of ranges) {
  test(`Range ${header} for a file of 100 bytes is read as ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(parseRange(header, 100), expected)
  })
}

test('no range of an empty file can be satisfied', () => {
  assert.equal(parseRange('bytes=0-', 0), 'unsatisfiable')
  assert.equal(parseRange('bytes=-5', 0), 'unsatisfiable')
})
