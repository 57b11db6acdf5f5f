import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emojiGlyph } from './emoji-glyph.ts'

test('emoji that fonts also have as plain characters get the variation selector for colours', () => {
  assert.equal(emojiGlyph('2764'), '\u2764\ufe0f')
  assert.equal(emojiGlyph('1f336'), '\u{1f336}\ufe0f')
  assert.equal(emojiGlyph('0031-20e3'), '1\ufe0f\u20e3')
})

test('emoji that always have colours get no variation selector', () => {
  assert.equal(emojiGlyph('1f44d'), '\u{1f44d}')
  assert.equal(emojiGlyph('2705'), '\u2705')
  assert.equal(emojiGlyph('1f1e9-1f1ea'), '\u{1f1e9}\u{1f1ea}')
})

test('codes that are no code points have no emoji', () => {
  assert.equal(emojiGlyph('zulip'), undefined)
  assert.equal(emojiGlyph('110000'), undefined)
})
