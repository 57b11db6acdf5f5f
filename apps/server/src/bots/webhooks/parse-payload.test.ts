import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePayload } from './parse-payload.ts'

test('trailing commas are accepted, except inside strings', () => {
  assert.deepEqual(parsePayload('{"a": [1, 2, ], "b": ",]\\",}", }'), { a: [1, 2], b: ',]",}' })
  assert.deepEqual(parsePayload('\ufeff["\\\\",\n]'), ['\\'])
})

test('payloads that are not JSON after the repair are refused', () => {
  for (const text of ['', '"', '["a,]', '"\\"', '["a\\\n",]', '[,,]', '"a" "b'])
    assert.throws(() => parsePayload(text), SyntaxError, text)
})

test('a string without an end is refused in little processor time', () => {
  const began = process.threadCpuUsage()
  assert.throws(() => parsePayload(`"${'\\"'.repeat(49_000)}`), SyntaxError)
  assert.ok(process.threadCpuUsage(began).user < 300_000)
})
