import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepCaret, leaveLinks, mendLinks } from './whole-links.ts'

const link = '[gate.png](/user_uploads/2/ab/c/gate.png)'
/** A place inside the link. */
const inside = 20

// `from` is the selection before a key moved it.
const moves: [string, string, [number, number], [number, number] | undefined, [number, number]][] = [
  ['a tap inside a link puts the caret behind it', `a ${link} b`, [22, 22], undefined, [43, 43]],
  [
    'a tap in a line that is a link puts the caret on the next line',
    `${link}\n`,
    [20, 20],
    undefined,
    [42, 42],
  ],
  ['a tap behind a line that is a link does the same', `${link}\nb`, [41, 41], undefined, [42, 42]],
  ['a tap before a link leaves the caret there', `${link}\n`, [0, 0], undefined, [0, 0]],
  ['a key forward goes over a link', `${link}\n`, [1, 1], [0, 0], [41, 41]],
  ['a key back goes over a link', `${link}\n`, [40, 40], [41, 41], [0, 0]],
  ['a key can put the caret behind a link', `${link}\n`, [41, 41], [42, 42], [41, 41]],
  ['a selection that begins in a link contains it', `a ${link} b`, [22, 45], undefined, [2, 45]],
  ['a selection that ends in a link contains it', `a ${link} b`, [0, 22], undefined, [0, 43]],
  ['a selection that a key extends into a link contains it', `a${link}`, [0, 2], [0, 1], [0, 42]],
  ['a selection that a key takes back from a link leaves it', `a${link}`, [0, 41], [0, 42], [0, 1]],
  ['the caret moves freely through other links', '[a](https://a.example)', [5, 5], undefined, [5, 5]],
]

for (const [title, text, [start, end], from, expected] of moves)
  test(title, () => {
    const movedFrom = from && { start: from[0], end: from[1] }
    const left = leaveLinks(text, { start, end }, movedFrom)
    assert.deepEqual([left.start, left.end], expected)
  })

/** Replaces a part of a text as a browser does, and returns the text after the links were mended. */
function change(before: string, from: number, to: number, written: string): string | undefined {
  const after = before.slice(0, from) + written + before.slice(to)
  const edit = mendLinks(before, after, from + written.length)
  return edit && after.slice(0, edit.from) + edit.insert + after.slice(edit.to)
}

test('what is written inside a link comes after it', () => {
  assert.equal(change(`${link}\n`, inside, inside, 'Our'), `${link}\nOur`)
  assert.equal(change(`${link}\nb`, inside, inside + 3, 'Our'), `${link}\nOurb`)
  assert.equal(change(`a ${link} b`, inside, inside, 'Our'), `a ${link}Our b`)
})

test('a change is found although the caret is not at its end', () => {
  const [before, after] = [`${link}\n`, `${link.slice(0, inside)}Our${link.slice(inside)}\n`]
  assert.equal(mendLinks(before, after, after.length)?.insert, `${link}\nOur`)
})

test('a link of which a part is deleted is deleted', () => {
  assert.equal(change(`a ${link}\n`, 42, 43, ''), 'a \n')
  assert.equal(change(`a${link}b`, 0, inside, ''), 'b')
  assert.equal(change(`${link}\n${link}`, inside, inside + link.length, ''), '')
})

test('a change beside links, or of whole links, stays', () => {
  for (const written of ['[', 'g', ')'])
    for (const at of [0, link.length, link.length + 1])
      assert.equal(change(`${link}\n`, at, at, written), undefined)
  assert.equal(change(`a${link}b`, 1, 1 + link.length, ''), undefined)
  assert.equal(change(`a${link}b`, 0, 2 + link.length, 'x'), undefined)
  assert.equal(change('[a](https://a.example)', 5, 6, 'x'), undefined)
})

test('the caret stays in a text to which a link is added, but leaves an empty line', () => {
  assert.equal(keepCaret('Our ga', `Our ga\n${link}\n`, 6), 6)
  assert.equal(keepCaret('Our ga\n', `Our ga\n${link}\n`, 3), 3)
  assert.equal(keepCaret('', `${link}\n`, 0), undefined)
  assert.equal(keepCaret(`${link}\n`, `${link}\n${link}\n`, 42), undefined)
  assert.equal(keepCaret('Our ga', 'Our ga\n\n> quoted', 6), undefined)
})
