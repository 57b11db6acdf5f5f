import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareCodePoints } from './code-points.ts'

test('names are ordered by code point', () => {
  const ordered = ['', 'Z', 'a', 'ab', 'é', '\uffee', '🌱']

  assert.deepEqual(ordered.toReversed().sort(compareCodePoints), ordered)
  assert.equal(compareCodePoints('same', 'same'), 0)
})
