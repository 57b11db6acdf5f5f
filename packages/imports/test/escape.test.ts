import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRenderer, toPlainText } from '@oxbow/markdown'
import fc from 'fast-check'
import { escapeText, writeLink } from '../src/text/escape.ts'

const marks = [
  ...[
    '*',
    '**',
    '_',
    '~~',
    '`',
    '```',
    '#',
    '# ',
    '> ',
    '>',
    '- ',
    '1. ',
    '12) ',
    'a',
    'b c',
    'é',
    '@**all**',
    '@*x*',
  ],
  ...[
    '#**s**',
    ':smile:',
    '$$',
    'x',
    '](',
    '[',
    'http://a.b/c_d*e',
    '|',
    '---',
    '===',
    '\n',
    '\n\n',
    ' ',
    '    ',
    '/me ',
  ],
  ...[
    '/poll ',
    '&amp;',
    '&',
    '<',
    '<time:2020-01-01>',
    '!avatar(x)',
    '+ ',
    '~~~',
    '\t',
    '<b>',
    '||',
    '* * *',
    'a|b\n---|---\n1|2',
  ],
]
const renderer = createRenderer()
const squeeze = (text: string) => text.replace(/[\s\u00a0]+/g, '')

test('an escaped text is shown as it was written, whatever marks it has', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...marks), { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      const { html } = renderer.render(escapeText(text))
      const elements = [...html.matchAll(/<([a-z]\w*)/g)].map(([, name]) => name)
      assert.deepEqual(
        elements.filter((name) => name !== 'p' && name !== 'br' && name !== 'a'),
        [],
        html,
      )
      assert.equal(squeeze(toPlainText(html)), squeeze(text))
    }),
  )
})

test('a link has the text as its label, and only addresses of the web become links', () => {
  const show = (text: string, url: string) => renderer.render(writeLink(text, url)).html
  assert.equal(
    show('a *b* [c]', 'https://x.example/'),
    '<p><a href="https://x.example/">a &#42;b&#42; &#91;c&#93;</a></p>',
  )
  assert.equal(show('click', 'javascript:alert(1)'), '<p>click</p>')
  assert.equal(show('click', 'data:text/html,x'), '<p>click</p>')
})
