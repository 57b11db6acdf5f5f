import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawInitials } from './draw-initials.ts'

test('drawInitials includes no markup from names and returns the same picture for the same user', () => {
  for (const full_name of ['<script>alert(1)</script>', '"><image href=x>', '&lt;b', ']]>', '🌹'])
    for (const id of [1, 2, 1e12]) {
      const picture = drawInitials({ id, full_name })
      assert.doesNotMatch(picture, /script|image|href|alert|]]/)
      assert.match(picture, /^<svg [^<>]*>(<[^<>]*>|[\p{L}\p{N}]{1,2}(?=<\/text>))*<\/svg>$/u)
      assert.equal(picture, drawInitials({ id, full_name }))
    }
  assert.notEqual(drawInitials({ id: 1, full_name: 'A' }), drawInitials({ id: 2, full_name: 'A' }))
})
