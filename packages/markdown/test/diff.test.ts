import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHtml } from '../src/html/read-html.ts'
import { createRenderer, diffHtml } from '../src/index.ts'
import { contextOf } from './cases/index.ts'
import { generateInput } from './support/generate.ts'
import { createRandom } from './support/random.ts'
import { timeOf } from './support/timing.ts'

const { render } = createRenderer()

function diff(before: string, after: string): string {
  return diffHtml(render(before).html, render(after).html)
}

const ins = (text: string) => `<span class="highlight_text_inserted">${text}</span>`
const del = (text: string) => `<span class="highlight_text_deleted">${text}</span>`

const changes: [title: string, before: string, after: string, html: string][] = [
  [
    'one word',
    'content before edit',
    'content after edit',
    `<p>content ${ins('after')} ${del('before')} edit</p>`,
  ],
  ['every word', 'Hello!', 'Howdy!', `<div><p>${ins('Howdy!')}</p> <p>${del('Hello!')}</p></div>`],
  [
    'the target of a link',
    'See the [docs](www.a.org).',
    'See the [docs](www.b.com).',
    `<p>See the <a href="http://www.b.com">docs ${ins(' Link: http://www.b.com .')} ${del(' Link: http://www.a.org .')} </a></p>`,
  ],
  ['nothing', 'the same words', 'the same words', '<p>the same words</p>'],
  ['a word at the end', 'one two three', 'one two three four', `<p>one two three ${ins('four')} </p>`],
  ['a word less at the end', 'one two three', 'one two', `<p>one two ${del('three')} </p>`],
  ['a word less at the start', 'one two three', 'two three', `<p>${del('one')} two three</p>`],
  ['letters beyond ASCII', 'a b c', 'a b c é', `<p>a b c ${ins('&#233;')} </p>`],
  ['markup only', '**bold** words here', 'bold words here', '<p>bold words here</p>'],
  [
    'a new paragraph',
    'first words here',
    'first words here\n\nsecond',
    `<div><p>first words here</p> <p>${ins('second')}</p></div>`,
  ],
  ['an entity is one word', 'a b c', 'a b <b>', `<p>a b ${ins('&lt;b&gt;')} ${del('c')} </p>`],
]

for (const [title, before, after, html] of changes) {
  test(`the edit history shows a change of ${title}`, () => {
    assert.equal(diff(before, after), html)
  })
}

test('the edit history of any change has balanced tags and every word of the new version', () => {
  const random = createRandom(11)
  for (let round = 0; round < 1500; round++) {
    const [before, after] = [generateInput(random), generateInput(random)].map(
      (text) => render(text, contextOf()).html,
    )
    const html = diffHtml(before ?? '', after ?? '')
    assert.equal(findUnbalanced(html), undefined, JSON.stringify({ before, after, html }).slice(0, 2000))
    assert.ok(
      isSubsequence(wordsOf(after ?? ''), wordsOf(html)),
      JSON.stringify({ before, after, html }).slice(0, 2000),
    )
  }
})

function findUnbalanced(html: string): string | undefined {
  const open: string[] = []
  for (const piece of readHtml(html)) {
    if (piece.kind === 'open' && !piece.isVoid) open.push(piece.name)
    if (piece.kind === 'close' && open.pop() !== piece.name) return piece.source
  }
  return open.pop()
}

/** Returns the words outside of deletions, in ASCII. */
function wordsOf(html: string): string[] {
  let text = ''
  let depth = 0
  let deletedAt = 0
  for (const piece of readHtml(html)) {
    if (piece.kind === 'open' && !piece.isVoid) {
      depth++
      if (piece.source.includes('highlight_text_deleted')) deletedAt ||= depth
    }
    if (piece.kind === 'close' && depth-- === deletedAt) deletedAt = 0
    if (piece.kind === 'text' && deletedAt === 0) text += ` ${piece.source}`
  }
  return text
    .replace(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)
    .split(/[ \n]+/)
    .filter((word) => word !== '')
}

function isSubsequence(words: readonly string[], all: readonly string[]): boolean {
  let next = 0
  for (const word of all) if (word === words[next]) next++
  return next === words.length
}

test('two long messages with nothing in common are compared in bounded time', () => {
  const before = `<p>${Array.from({ length: 5000 }, (_, n) => `a${n}`).join(' ')}</p>`
  const after = `<p>${Array.from({ length: 5000 }, (_, n) => `b${n}`).join(' ')}</p>`

  assert.ok(timeOf(() => diffHtml(before, after)) < 200)
})
