import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bySize } from '@oxbow/testkit/size'
import { createLookup, createRenderer } from '../src/index.ts'
import {
  writeCode,
  writeCodeBlock,
  writeLiteral,
  writeMention,
  writeStreamLink,
  writeTopicLink,
} from '../src/write-markdown.ts'
import { contextOf } from './cases/index.ts'
import { generateInput } from './support/generate.ts'
import { createRandom } from './support/random.ts'

const { render } = createRenderer()
// Linkifiers match ordinary words, too, so they are left out where literal text is rendered.
const { linkifiers: _, ...context } = contextOf({ translateEmoticons: true })

const random = createRandom(Number(process.env.OXBOW_TEST_SEED ?? 81))
const hostile = [
  '@**all**',
  '@_**Iris Moor|10**',
  '[x](http://evil.example)',
  'http://evil.example',
  'evil.example',
  '`',
  '``a`',
  '`@**all**`',
  '$$x$$',
  ':smile:',
  ':)',
  '#**garden**',
  '#**garden>x**',
  '**bold**',
  '***x***',
  '* item',
  '1. item',
  '10. ',
  'a.b',
  'a. com',
  '# heading',
  '> quote',
  '~~x~~',
  '<time:2020-01-01>',
  '/me waves',
  '😀',
  '&lt;b&gt;',
  '&amp;',
  '<b>',
  'a\n\n```spoiler b\nc\n```',
  'a\n> b',
  'a\r\nb\u2028c\u0085d\te',
  '\ud800x',
  'abc\u202edcba',
  'x](http://evil.example)',
  '[x',
  'a)',
  '(',
]
const names = [
  ...hostile,
  ...Array.from({ length: bySize({ gate: 300, long: 5_000 }) }, () =>
    [...generateInput(random)].slice(0, 60).join('').replaceAll('\0', ''),
  ),
].filter((name) => /\p{L}|\p{N}|\p{P}|\p{S}/u.test(name))

const code = '(?:<code>[^<]*</code>|[^<]*)'
/** Returns the text without white space and invisible characters, which may be replaced. */
const squeeze = (text: string) => text.toWellFormed().replace(/[\p{Z}\p{C}]/gu, '')
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const decodeText = (html: string) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&(?:#(\d+)|(\w+));/g, (entity, point?: string, name?: string) =>
      point === undefined ? (entities[name ?? ''] ?? entity) : String.fromCodePoint(Number(point)),
    )

test('a literal text is shown as it is, and nothing in it is parsed', () => {
  const pattern = new RegExp(
    `^<p>Old <strong>${code}</strong> and ${code}: <a href="#streams">here</a>\\.</p>\\n<ul>\\n<li>${code} and ${code}</li>\\n</ul>$`,
  )
  for (const [index, name] of names.entries()) {
    const other = names[(index * 7) % names.length] ?? ''
    const [a, b] = [writeLiteral(name), writeLiteral(other)]

    const rendered = render(`Old **${a}** and ${b}: [here](#streams).\n\n* ${a} and ${b}`, context)

    assert.match(rendered.html.replaceAll('\n\n', '\n'), pattern, JSON.stringify([name, other]))
    assert.equal(
      squeeze(decodeText(rendered.html)),
      squeeze(`Old ${name} and ${other}: here. ${name} and ${other}`),
      JSON.stringify([name, other]),
    )
    const { mentionedUserIds, mentionedGroupIds, mentionsWildcard, links, uploads } = rendered
    assert.deepEqual(
      [mentionedUserIds, mentionedGroupIds, mentionsWildcard, links, uploads],
      [[], [], false, ['#streams'], []],
    )
  }
})

test('a literal text at the beginning of a line starts no block and is no /me message', () => {
  for (const name of names) {
    const { html, isMeMessage } = render(writeLiteral(name), context)

    assert.match(html, new RegExp(`^<p>${code}</p>$`), JSON.stringify(name))
    assert.equal(isMeMessage, false)
  }
})

test('ordinary names stay as they are', () => {
  for (const name of [
    'garden',
    'Frost and Moss',
    'très bien',
    '日本語 2',
    'a-b_c',
    "Ada O'Hara, Jr",
    'R/D!',
    'Dr. Moor.',
  ])
    assert.equal(writeLiteral(name), name)
})

test('inline code and code blocks show texts with backticks', () => {
  assert.equal(writeCode('a`b'), '``a`b``')
  assert.equal(writeCode('`'), '`` ` ``')
  assert.equal(writeCode(''), '')
  assert.equal(writeCodeBlock('``\0`\n**bold**'), '````text\n```\n**bold**\n````')
  for (const name of names) {
    assert.match(render(writeCode(name), context).html, /^<p><code>[^<]*<\/code><\/p>$/, name)
    const block = render(`${writeCodeBlock(name)}\n\nend`, context).html
    assert.match(
      block,
      /^<div class="codehilite"[^>]*><pre><span><\/span><code>[^<]*<\/code><\/pre><\/div>\s*<p>end<\/p>$/,
    )
  }
})

test('a link to a stream or topic leads to exactly this one, whatever the names are', () => {
  for (const [index, name] of names.entries()) {
    const topic = names[(index * 11) % names.length] ?? ''
    const stream = { id: 77, name }
    const found = createLookup({ streams: [{ id: 78, name: 'garden' }, stream] })
    for (const lookup of [found, createLookup({})]) {
      const isKnown = lookup === found
      const isOrdinary = (...texts: string[]) => texts.every((text) => writeLiteral(text) === text)
      const stated = render(`In ${writeStreamLink(stream)}, see`, { ...context, lookup })
      if (isKnown || !isOrdinary(name)) {
        assert.match(
          stated.html,
          /^<p>In <a [^>]*href="\/#narrow\/stream\/77-[^"/]*"[^>]*>[^<]*<\/a>, see<\/p>$/,
          name,
        )
        assert.equal(squeeze(decodeText(stated.html)), squeeze(`In #${name}, see`), name)
      } else assert.doesNotMatch(stated.html, /<a /)

      const inTopic = render(`In ${writeTopicLink(stream, topic)}:`, { ...context, lookup })
      if (isKnown || !isOrdinary(name, topic)) {
        assert.match(
          inTopic.html,
          /^<p>In <a [^>]*href="\/#narrow\/stream\/77-[^"/]*\/topic\/[^"/]*"[^>]*>[^<]*<\/a>:<\/p>$/,
          name,
        )
        assert.equal(squeeze(decodeText(inTopic.html)), squeeze(`In #${name} > ${topic}:`), name)
      } else assert.doesNotMatch(inTopic.html, /<a /)
    }
  }
})

test('a mention is one of exactly this person', () => {
  for (const fullName of [
    'Sam Park',
    'Sam|5',
    '[x](http://evil.example)',
    '$$x$$ :smile:',
    'a\u2028http://evil.example',
  ]) {
    const people = [
      { id: 13, fullName },
      { id: 14, fullName },
    ]
    const { html, mentionedUserIds } = render(`Ask ${writeMention({ id: 14, fullName })}.`, {
      ...context,
      lookup: createLookup({ people }),
    })
    const silent = render(`Ask ${writeMention({ id: 13, fullName }, { silent: true })}.`, {
      ...context,
      lookup: createLookup({ people }),
    })

    assert.equal(html, `<p>Ask <span class="user-mention" data-user-id="14">@${fullName}</span>.</p>`)
    assert.deepEqual(mentionedUserIds, [14])
    assert.equal(
      silent.html,
      `<p>Ask <span class="user-mention silent" data-user-id="13">${fullName}</span>.</p>`,
    )
  }
})

test('a name that no mention can contain is written as literal text', () => {
  for (const fullName of ['a*b', 'a`b', '**x** [y](http://evil.example)', 'a\n> b', '@**all**']) {
    const lookup = createLookup({ people: [{ id: 13, fullName }] })
    const rendered = render(`Ask ${writeMention({ id: 13, fullName })}.`, { ...context, lookup })

    assert.match(rendered.html, /^<p>Ask <code>[^<]*<\/code>\.<\/p>$/)
    assert.equal(rendered.mentionsWildcard, false)
  }
})
