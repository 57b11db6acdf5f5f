import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  continueList,
  makeLink,
  type Selected,
  type TextEdit,
  toggleCode,
  toggleLines,
  toggleMarks,
} from './insert.ts'

/** Parses a text in which [ and ] enclose the selection, or | is the caret. */
function select(marked: string): Selected {
  const start = marked.search(/[[|]/)
  const text = marked.replace(/[[|\]]/g, '')
  const end = marked.includes(']') ? marked.indexOf(']') - 1 : start
  return { text, start, end }
}

/** Returns the text after an edit, with the selection in the notation of `select`. */
function apply({ text }: Selected, edit: TextEdit | undefined): string | undefined {
  if (!edit) return undefined
  const { from, to, insert, start, end } = edit
  const after = text.slice(0, from) + insert + text.slice(to)
  if (start === end) return `${after.slice(0, start)}|${after.slice(start)}`
  return `${after.slice(0, start)}[${after.slice(start, end)}]${after.slice(end)}`
}

const bold = (selected: Selected) => toggleMarks(selected, '**')
const bullets = (selected: Selected) => toggleLines(selected, 'bullets')
const numbers = (selected: Selected) => toggleLines(selected, 'numbers')

const cases: [string, (selected: Selected) => TextEdit | undefined, string, string | undefined][] = [
  ['bold wraps the selection', bold, 'a [b] c', 'a **[b]** c'],
  ['bold unwraps a bold selection', bold, 'a **[b]** c', 'a [b] c'],
  ['bold without a selection puts the caret between the markers', bold, 'a |', 'a **|**'],
  ['code on one line gets backticks', toggleCode, 'a [b]', 'a `[b]`'],
  ['code of several lines gets a fence', toggleCode, '[a\nb]', '```|\na\nb\n```\n'],
  ['a fence begins on its own line', toggleCode, 'x [a\nb]', 'x \n```|\na\nb\n```\n'],
  ['bullets mark each line', bullets, '[a\nb]', '[* a\n* b]'],
  ['bullets are removed if all lines have one', bullets, '[* a\n- b]', '[a\nb]'],
  ['numbers are added to each line', numbers, 'x\n[a\nb]', 'x\n[1. a\n2. b]'],
  ['a quotation applies to the line of the caret', (s) => toggleLines(s, 'quote'), 'a|b', '> ab|'],
  ['Enter continues a list', continueList, '* a|', '* a\n* |'],
  ['Enter continues a list in its middle', continueList, '* a|\n* b', '* a\n* |\n* b'],
  ['Enter continues a numbered list', continueList, 'x\n 9. a|', 'x\n 9. a\n 10. |'],
  ['Enter continues a quotation', continueList, '> a|', '> a\n> |'],
  ['Enter on an empty marker ends the list', continueList, '* a\n* |', '* a\n|'],
  ['Enter outside a list is left to the browser', continueList, 'a|', undefined],
  ['Enter in code is left to the browser', continueList, '```\n* a|', undefined],
  ['Enter with a selection is left to the browser', continueList, '* [a]', undefined],
]

for (const [title, edit, before, after] of cases)
  test(title, () => {
    const selected = select(before)
    assert.equal(apply(selected, edit(selected)), after)
  })

test('a link made from a selection selects its URL, and one made without a selection selects its text', () => {
  assert.deepEqual(makeLink({ text: 'see this', start: 4, end: 8 }), {
    from: 4,
    to: 8,
    insert: '[this](url)',
    start: 11,
    end: 14,
  })
  assert.equal(makeLink({ text: '', start: 0, end: 0 }).start, 1)
  const pasted = makeLink({ text: 'this', start: 0, end: 4 }, 'https://a.example')
  assert.equal(pasted.insert, '[this](https://a.example)')
  assert.equal(pasted.start, pasted.insert.length)
})
