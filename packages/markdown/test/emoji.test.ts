import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildEmojiTable, readProtocolNames } from '../scripts/build-emoji-table.ts'
import { emojiTable } from '../src/emoji/table.ts'
import { createRenderer, findEmojiByCode, findEmojiCode, listEmoji } from '../src/index.ts'

const protocolNames = readProtocolNames()

test('each of the 1,036 codes of the protocol has its canonical name and all its aliases', () => {
  assert.equal(protocolNames.length, 1036)
  assert.equal(protocolNames.flatMap(([, names]) => names).length, 1552)
  for (const [code, names] of protocolNames) {
    assert.equal(findEmojiByCode(code)?.name, names[0])
    for (const name of names) assert.equal(findEmojiCode(name), code, name)
  }
})

test('each name of the protocol renders as its own code and shows the name as typed', () => {
  const renderer = createRenderer()
  for (const [code, names] of protocolNames) {
    for (const name of names) {
      const spoken = name.replaceAll('_', ' ')
      const span = `<span aria-label="${spoken}" class="emoji emoji-${code}" role="img" title="${spoken}">:${name}:</span>`
      assert.equal(renderer.render(`:${name}:`).html, `<p>${span}</p>`)
    }
  }
})

/** The Unicode blocks whose characters the protocol's renderer shows as pictures. */
const convertedBlocks = [
  [0x2000, 0x206f],
  [0x2300, 0x27bf],
  [0x2900, 0x297f],
  [0x2b00, 0x2bff],
  [0x3000, 0x303f],
  [0x3200, 0x32ff],
  [0x1f100, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
] as const

test('a typed emoji gets its canonical name as title, and characters below emoji blocks stay text', () => {
  const renderer = createRenderer()
  for (const [code, [name = '']] of protocolNames) {
    if (code.includes('-')) continue
    const point = Number.parseInt(code, 16)
    const { html } = renderer.render(String.fromCodePoint(point))
    if (convertedBlocks.some(([first, last]) => point >= first && point <= last))
      assert.ok(html.includes(`emoji-${code}" role="img" title="${name.replaceAll('_', ' ')}"`), html)
    else if (point < 0x2300) assert.equal(html, `<p>${String.fromCodePoint(point)}</p>`)
  }
})

test('newer Unicode emoji have names that no emoji of the protocol has', () => {
  const { emoji } = listEmoji()
  const fromProtocol = new Set(protocolNames.map(([code]) => code))
  const usedNames = new Set(protocolNames.flatMap(([, names]) => names))
  const newer = emoji.filter(({ code }) => !fromProtocol.has(code))
  assert.ok(newer.length >= 360)
  for (const { name } of newer) assert.ok(!usedNames.has(name), name)
  assert.equal(findEmojiCode('cricket_insect'), '1f997')
  assert.equal(findEmojiCode('melting_face'), '1fae0')
})

test('every emoji name matches the syntax and has a known code, and the name chat is reserved', () => {
  const { emoji, codes } = listEmoji()
  for (const { code, name } of emoji) {
    assert.match(code, /^[0-9a-f]{4,5}(?:-[0-9a-f]{4,5})*$/)
    assert.equal(codes.get(name), code)
  }
  for (const [name, code] of codes) {
    assert.match(name, /^[\w+-]+$/)
    assert.ok(findEmojiByCode(code), name)
  }
  assert.equal(codes.has('chat'), false)
})

test('the emoji table equals the one built from the data package and the protocol names', () => {
  assert.equal(emojiTable, buildEmojiTable())
})

test('skin tones, country flags and joined sequences are not in the table', () => {
  for (const code of ['1f3fb', '1f1e6', '1f1f3-1f1f4', '1f469-200d-1f4bb'])
    assert.equal(findEmojiByCode(code), undefined)
})
