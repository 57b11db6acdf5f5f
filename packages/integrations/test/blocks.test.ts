import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRenderer } from '@oxbow/markdown'
import { fitContent, fitTopic } from '../src/kernel/fit.ts'
import { text, url } from '../src/kernel/payload.ts'
import { codeBlock, details, paragraphs, quote, verbatim } from '../src/markdown/block.ts'
import { closingLines } from '../src/markdown/fences.ts'
import { bold, code, line, link } from '../src/markdown/text.ts'
import { moment, timestamp, when } from '../src/markdown/time.ts'

const { render } = createRenderer()
const isClosed = (content: string): boolean => render(`${content}\n\nlast`).html.endsWith('<p>last</p>')

test('open fences are closed, innermost first', () => {
  assert.equal(closingLines('``` quote\n~~~~ spoiler x\nhidden\n```js\nlet x'), '\n```\n\n~~~~\n```')
  assert.equal(closingLines('```\n``` quote\n~~~'), '\n```')
  assert.equal(closingLines('```js\nlet x\n```\nand ``` so on'), '')
  assert.equal(closingLines('```  Quote \tx\n~~~~\tquote\n```'), '\n~~~~\n```')
  assert.equal(closingLines('```js `x`\n~~~ ~\n```~~~'), '')
})

test('a spoiler without content is closed too', () => {
  for (const words of ['```spoiler x', '```spoiler x\n```', '``` quote\n```` spoiler'])
    assert.ok(isClosed(verbatim(words)), words)
})

test('a quote is not ended by its content', () => {
  for (const words of [
    '```',
    '~~~',
    '``` quote',
    '```\n~~~~',
    '`'.repeat(5_000),
    `x\n${'~'.repeat(5_000)}\ny`,
  ])
    for (const block of [quote(words), codeBlock(words, 'js')])
      assert.ok(isClosed(block), block.slice(0, 100))
})

test('fitContent closes open blocks and keeps the limit', () => {
  for (const inside of ['long '.repeat(5_000), '```js\nlet x\n'.repeat(2_000), '~~~ quote\n'.repeat(2_000)]) {
    const content = fitContent(`Said:\n\n${quote(inside)}\n\nthe end`)
    assert.ok(Buffer.byteLength(content) <= 10_000)
    assert.ok(content.endsWith('\n[message truncated]'))
    assert.ok(isClosed(content), content.slice(0, 100))
  }
})

test('many fences are closed in linear time', () => {
  const began = process.threadCpuUsage()
  quote('```\n~~~ quote\n'.repeat(20_000))
  assert.ok(process.threadCpuUsage(began).user < 2_000_000)
})

test('a long line that only begins like a fence is quoted in little processor time', () => {
  const began = process.threadCpuUsage()
  for (const filler of ['a', ' ']) {
    const words = `\`\`\`${filler.repeat(19_900)}\``
    for (let count = 0; count < 5; count++) assert.ok(verbatim(words) === words)
  }
  assert.ok(process.threadCpuUsage(began).user < 500_000)
})

test('external text at the start of a line does not open a block', () => {
  assert.ok(isClosed(`${line('``` quote')} was closed.`))
  assert.ok(isClosed(`* ${line('~~~')}`))
})

test('mentions are disabled in text, in code and across removed characters', () => {
  assert.equal(line('@**all**'), '@\u200b**all**')
  assert.equal(line('@\0**all**'), '@\u200b**all**')
  assert.equal(code('@**all**'), '`@\u200b**all**`')
  assert.equal(`${line('iris @')}${bold('all')}`, 'iris @\u200b**all**')
})

test('a text of spaces and invisible characters is treated as empty', () => {
  for (const words of ['', ' \n', '\0', '\u200b\u200e', '\u202e'])
    assert.equal(text.safeParse(words).success, false, JSON.stringify(words))
  assert.equal(text.parse(' a\0b\u202e '), 'ab')
})

test('link accepts only web URLs of limited length', () => {
  for (const target of ['javascript:alert(1)', '/path', 'https://', `https://x.example/${'a'.repeat(4_000)}`])
    assert.equal(url.safeParse(target).success, false, target.slice(0, 40))
  assert.equal(link('a ] b [', 'https://x.example/(a)'), '[a ) b (](https://x.example/%28a%29)')
  assert.equal(link('x'.repeat(600), 'https://x.example').length, '[…](https://x.example)'.length + 500)
})

test('fitTopic puts a topic on one line', () => {
  assert.equal(fitTopic(' a\n\tb\0 '), 'a b')
  assert.equal(fitTopic('長'.repeat(61)), `${'長'.repeat(57)}...`)
})

test('details and paragraphs leave out empty values', () => {
  assert.equal(details({ State: 'open', Owner: undefined }), '* **State**: open')
  assert.equal(paragraphs('a', undefined, '', 'b'), 'a\n\nb')
})

test('times are read with and without a zone and formatted for local display', () => {
  for (const words of ['2026-03-02T09:14:07.512Z', '2026-03-02 09:14:07', '2026-03-02T10:14:07+0100'])
    assert.equal(when(moment.parse(words)), '<time:2026-03-02T09:14:07Z>')
  for (const seconds of [1772442847, 1772442847512])
    assert.equal(when(timestamp.parse(seconds)), '<time:2026-03-02T09:14:07Z>')
})

test('invalid times and the year 1 are treated as absent', () => {
  for (const words of ['0001-01-01T00:00:00Z', 'yesterday', '2026-99-99T99:99:99Z', ''])
    assert.equal(moment.safeParse(words).success, false, words)
  for (const seconds of [0, -1, Number.MAX_SAFE_INTEGER])
    assert.equal(timestamp.safeParse(seconds).success, false)
})
