import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawInitials, getInitials } from './draw-initials.ts'

test('getInitials takes the first letters of the first and last word, in any script', () => {
  const names = {
    'Iris Gardener': 'IG',
    'iris van der Berg': 'IB',
    Otto: 'O',
    'Жанна Ли': 'ЖЛ',
    山田太郎: '山',
    'ßara Øst': 'ßØ',
    '7 Dwarfs': '7D',
    '  (Ada)  "Byte" ': 'AB',
    '🌹': '',
    '<script>': 'S',
    '&amp; "x" \'y\'': 'AY',
  }
  for (const [name, initials] of Object.entries(names)) assert.equal(getInitials(name), initials, name)
})

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
