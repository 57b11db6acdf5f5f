import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createRenderer, loadMathEngine, type Renderer, toPlainText } from '../src/index.ts'
import { contextOf } from './cases/index.ts'

let renderer: Renderer

before(async () => {
  renderer = createRenderer({ math: await loadMathEngine() })
})

const texts: [title: string, input: string, text: string][] = [
  ['formatting is dropped', '**a** *b* ~~c~~ `d`', 'a b c d'],
  ['line breaks are kept', 'a\nb\n\nc', 'a\nb\nc'],
  ['entities are decoded', '&copy; &lt;b&gt; & &#65; &#x41;', '© <b> & A A'],
  ['an unknown entity stays', '&nosuch;', '&nosuch;'],
  ['a mention', '@**Iris Moor**!', '@Iris Moor!'],
  ['a stream', '#**garden>late roses**', '#garden > late roses'],
  ['a link shows its text', '[tea](http://tea.example)', 'tea'],
  ['an emoji', ':smile: :sprout:', ':smile: :sprout:'],
  ['a list', '* a\n  * b\n* c', '* a\n  * b\n* c'],
  ['a numbered list', '3. a\n4. b', '3. a\n4. b'],
  ['a quote', '> a\n> b\n\nc', '> a\n> b\nc'],
  ['a table', 'a|b\n-|-\n1|2', 'a | b\n1 | 2'],
  ['code keeps its spaces', '```\na  b\n  c\n```', 'a  b\n  c'],
  ['a formula is shown as its source', 'so $$x^2 < 3$$.', 'so $$x^2 < 3$$.'],
  ['a spoiler is hidden', '```spoiler Ending\nHe wakes up.\n```', 'Ending\n(…)'],
  ['a preview adds no text', 'see http://x.example/a.png', 'see http://x.example/a.png'],
  ['a picture alone is shown as its URL', 'http://x.example/a.png', 'http://x.example/a.png'],
  ['an empty message', '', ''],
]

for (const [title, input, text] of texts) {
  test(`the plain text of a message: ${title}`, () => {
    assert.equal(toPlainText(renderer.render(input, contextOf()).html), text)
  })
}

test('plain text for search includes the content of spoilers', () => {
  const { html } = renderer.render('```spoiler Ending\nHe *wakes* up.\n```')
  assert.equal(toPlainText(html, { spoilers: 'show' }), 'Ending\nHe wakes up.')
})
