import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAddresses } from './addresses.ts'

test('addresses are separated by commas and line breaks, with or without names', () => {
  const cases: [string, string[]][] = [
    ['iris@a.example', ['iris@a.example']],
    [' iris@a.example ,\r\notto@a.example\n', ['iris@a.example', 'otto@a.example']],
    ['Iris Gardener <iris@a.example>, <otto@a.example>', ['iris@a.example', 'otto@a.example']],
    ['Iris@A.example, iris@a.EXAMPLE', ['Iris@A.example']],
    ['iris, not an address', ['iris', 'not an address']],
    [' ,\n, ', []],
    ['', []],
  ]
  for (const [text, addresses] of cases) assert.deepEqual(readAddresses(text), addresses, text)
})
