import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareCodePoints } from './code-points.ts'

test('compareCodePoints orders names by code point, not by UTF-16 unit', () => {
  const ordered = ['', 'Z', 'a', 'ab', 'é', '\uffee', '🌱']

  assert.deepEqual(ordered.toReversed().sort(compareCodePoints), ordered)
  assert.equal(compareCodePoints('same', 'same'), 0)
})
