import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countCovered } from './covered-lines.ts'

const source = `const a = 1
function never() {
  return a
}
// a comment
export { never }
`
const start = source.indexOf('function')
const end = source.indexOf('// a comment')

const coverage = (count: number) => ({
  url: 'file:///x.ts',
  functions: [
    { ranges: [{ startOffset: 0, endOffset: source.length, count: 1 }] },
    { ranges: [{ startOffset: start, endOffset: end, count }] },
  ],
})

test('lines of a function that was called in no process are not covered', () => {
  assert.deepEqual(countCovered(source, [coverage(0)]), { lines: 4, covered: 2 })
})

test('a line that ran in one of two processes is covered', () => {
  assert.deepEqual(countCovered(source, [coverage(0), coverage(3)]), { lines: 4, covered: 4 })
})
