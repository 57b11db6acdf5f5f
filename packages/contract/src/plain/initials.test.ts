import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getInitials } from './initials.ts'

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
