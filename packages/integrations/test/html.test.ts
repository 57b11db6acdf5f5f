import assert from 'node:assert/strict'
import { test } from 'node:test'
import { htmlToText } from '../src/services/freshdesk/html.ts'

const cases: [string, string][] = [
  ['<p>one</p><p>two<br/>three</p>', 'one\ntwo\nthree'],
  ['a &amp;lt; b &#65;&#x42; &nope; &#0;', 'a &lt; b AB &nope; &#0;'],
  ['<ul><li>x</li><li class="a">y</li></ul>', '* x\n* y'],
  ['<style>p { color: red }</style>text<!-- note -->', 'text'],
  ['1 < 2 and 3 > 2', '1 < 2 and 3 > 2'],
  ['<div>&nbsp;</div>', ''],
]

for (const [html, expected] of cases)
  test(`htmlToText extracts the text of ${html}`, () => assert.equal(htmlToText(html), expected))

test('htmlToText reads a megabyte in linear time', () => {
  const began = process.cpuUsage()
  for (const piece of ['<', '&nbsp;', '<a', ' \n', '<style>', '</p> ', '&#', '>'])
    htmlToText(piece.repeat(1_000_000 / piece.length))
  assert.ok(process.cpuUsage(began).user < 3_000_000)
})
