import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildEmojiTable } from '../scripts/build-emoji-table.ts'
import { fixedEmojiNames } from '../scripts/fixed-emoji-names.ts'
import { emojiTable } from '../src/emoji/table.ts'
import { findEmojiByCode, findEmojiCode, listEmoji } from '../src/index.ts'

test('the names the protocol fixes are the canonical names and aliases of their codes', () => {
  for (const entry of fixedEmojiNames.split('·')) {
    const [code = '', canonical, ...aliases] = entry.trim().split(' ')
    assert.equal(findEmojiByCode(code)?.name, canonical)
    for (const name of [canonical ?? '', ...aliases]) assert.equal(findEmojiCode(name), code, name)
  }
})

test('the table is whole: every name fits the syntax and leads to a code that is there', () => {
  const { emoji, codes } = listEmoji()
  assert.ok(emoji.length >= 1036)
  for (const { code, name } of emoji) {
    assert.match(code, /^[0-9a-f]{4,5}(?:-[0-9a-f]{4,5})*$/)
    assert.equal(codes.get(name), code)
  }
  for (const [name, code] of codes) {
    assert.match(name, /^[\w+-]+$/)
    assert.ok(findEmojiByCode(code), name)
  }
})

test('the table is what the data package and the fixed names give today', () => {
  assert.equal(emojiTable, buildEmojiTable())
})

test('skin tones, country flags and joined sequences are not in the table', () => {
  for (const code of ['1f3fb', '1f1e6', '1f1f3-1f1f4', '1f469-200d-1f4bb'])
    assert.equal(findEmojiByCode(code), undefined)
})
