/** A text with its selection. */
export interface Selected {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Replaces `from` to `to` by `insert`, and selects `start` to `end` of the new text. */
export interface TextEdit {
  readonly from: number
  readonly to: number
  readonly insert: string
  readonly start: number
  readonly end: number
}

/** Surrounds the selection with a Markdown marker such as `**`, or removes the markers around it. */
export function toggleMarks({ text, start, end }: Selected, mark: string): TextEdit {
  const size = mark.length
  const selected = text.slice(start, end)
  if (text.slice(start - size, start) === mark && text.slice(end, end + size) === mark)
    return { from: start - size, to: end + size, insert: selected, start: start - size, end: end - size }
  return { from: start, to: end, insert: `${mark}${selected}${mark}`, start: start + size, end: end + size }
}

/** Formats the selection as code: several lines as a fenced block, otherwise inline. */
export function toggleCode(selected: Selected): TextEdit {
  const { text, start, end } = selected
  const inside = text.slice(start, end)
  if (!inside.includes('\n')) return toggleMarks(selected, '`')
  const before = start === 0 || text[start - 1] === '\n' ? '' : '\n'
  const after = text[end] === '\n' ? '' : '\n'
  const opening = `${before}\`\`\`\n`
  const insert = `${opening}${inside}\n\`\`\`${after}`
  // Places the caret after the opening fence, where the user can name the language.
  const caret = start + before.length + 3
  return { from: start, to: end, insert, start: caret, end: caret }
}

/**
 * Makes a link: from the selected text, with the URL to be filled in, or from a selected URL, with
 * the text to be filled in.
 */
export function makeLink({ text, start, end }: Selected, url = 'url'): TextEdit {
  const label = text.slice(start, end)
  const insert = `[${label}](${url})`
  const address = start + label.length + 3
  const caret = label === '' ? start + 1 : url === 'url' ? address : start + insert.length
  return {
    from: start,
    to: end,
    insert,
    start: caret,
    end: label !== '' && url === 'url' ? address + 3 : caret,
  }
}

type LineMark = 'bullets' | 'numbers' | 'quote'

const lineMarks: Readonly<Record<LineMark, { has: RegExp; make: (index: number) => string }>> = {
  bullets: { has: /^[*-] /, make: () => '* ' },
  numbers: { has: /^\d+\. /, make: (index) => `${index + 1}. ` },
  quote: { has: /^> ?/, make: () => '> ' },
}

/** Prefixes each selected line with a Markdown marker, or removes the markers if all lines have one. */
export function toggleLines({ text, start, end }: Selected, mark: LineMark): TextEdit {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const to = next === -1 ? text.length : next
  const lines = text.slice(from, to).split('\n')
  const { has, make } = lineMarks[mark]
  const isMarked = lines.every((line) => has.test(line))
  const insert = lines
    .map((line, index) => (isMarked ? line.replace(has, '') : `${make(index)}${line}`))
    .join('\n')
  const caret = from + insert.length
  return { from, to, insert, start: start === end ? caret : from, end: caret }
}

/**
 * Returns the edit for Enter in a list or quotation: it inserts the next marker, or ends the list
 * on a line that has nothing but its marker. Undefined elsewhere.
 */
export function continueList({ text, start, end }: Selected): TextEdit | undefined {
  if (start !== end) return undefined
  const from = text.lastIndexOf('\n', start - 1) + 1
  const line = text.slice(from, start)
  const [marker, indent = '', sign = ''] = /^(\s*)([*+-]|\d+\.|>) +/.exec(line) ?? []
  if (marker === undefined || isInFence(text.slice(0, from))) return undefined
  if (line === marker && text.slice(start).split('\n', 1)[0] === '')
    return { from, to: start, insert: '', start: from, end: from }
  const number = /^\d+/.exec(sign)
  const next = number ? `${Number(number[0]) + 1}.` : sign
  const insert = `\n${indent}${next} `
  return { from: start, to: start, insert, start: start + insert.length, end: start + insert.length }
}

/** Whether a text ends inside a fence, where markers are part of the code. */
const isInFence = (text: string): boolean => (text.match(/^(```|~~~)/gm) ?? []).length % 2 === 1
