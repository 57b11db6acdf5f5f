import { bullets, codeBlock, quote } from '../../markdown/block.ts'
import { bold, code, link } from '../../markdown/text.ts'

/** Returns the full name for the text in `[~…]`, or undefined if the user is unknown. */
export type FindName = (user: string) => string | undefined

/** Converts Jira's markup to Markdown. */
export function convertMarkup(source: string, findName: FindName): string {
  const blocks: string[] = []
  let quoted: string[] | undefined
  for (const piece of cutIntoPieces(source.replace(/\r\n?/g, '\n'))) {
    const written = quoted ?? blocks
    if (piece.kind === 'text') written.push(convertText(piece.text, findName))
    else if (piece.kind === 'code') written.push(codeBlock(piece.text.replace(/^\n+/, ''), piece.language))
    else if (quoted === undefined) quoted = []
    else {
      blocks.push(quote(joinBlocks(quoted)))
      quoted = undefined
    }
  }
  // A quote that is never closed becomes plain text.
  return joinBlocks([...blocks, ...(quoted ?? [])])
}

const joinBlocks = (blocks: readonly string[]): string =>
  blocks
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .join('\n')

type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string; language: string }
  | { kind: 'quote mark' }

function* cutIntoPieces(source: string): Generator<Piece> {
  const marks = /\{(code|noformat|quote)(?::([^{}\n]*))?\}/g
  const neverClosed = new Set<string>()
  let at = 0
  for (let mark = marks.exec(source); mark !== null; mark = marks.exec(source)) {
    const [opening, tag = '', parameters = ''] = mark
    if (tag === 'quote') {
      yield { kind: 'text', text: source.slice(at, mark.index) }
      yield { kind: 'quote mark' }
      at = marks.lastIndex
      continue
    }
    const start = mark.index + opening.length
    const end = neverClosed.has(tag) ? -1 : source.indexOf(`{${tag}}`, start)
    if (end === -1) {
      neverClosed.add(tag)
      continue
    }
    yield { kind: 'text', text: source.slice(at, mark.index) }
    yield { kind: 'code', text: source.slice(start, end), language: readLanguage(parameters) }
    at = end + `{${tag}}`.length
    marks.lastIndex = at
  }
  yield { kind: 'text', text: source.slice(at) }
}

/** Returns the language from parameters like `java` or `title=Bed.java|java`. */
function readLanguage(parameters: string): string {
  const names = parameters.split('|').map((parameter) => parameter.trim().replace(/^language=/, ''))
  return names.find((name) => /^[\w+#-]+$/.test(name)) ?? ''
}

function convertText(text: string, findName: FindName): string {
  return (
    text
      .replace(/\{(?:color|panel)(?::[^{}\n]*)?\}/g, '')
      .split('\n')
      .map((line) => convertLine(line, findName))
      .join('\n')
      // Without a blank line the next line would be quoted too.
      .replace(/^(> .*)\n(?!> |$)/gm, '$1\n\n')
  )
}

function convertLine(line: string, findName: FindName): string {
  if (line.startsWith('bq. ')) return `> ${convertInline(line.slice('bq. '.length), findName)}`
  const [, marks, item] = /^\s*([*#]+|-) +(\S.*)$/.exec(line) ?? []
  if (marks === undefined || item === undefined) return convertInline(line, findName)
  const indent = '  '.repeat(marks.length - 1)
  const words = convertInline(item, findName)
  return indent + (marks.endsWith('#') ? `1. ${words}` : bullets([words]))
}

// No alternative can match its own opening again, so a text full of openings takes linear time.
const inline =
  /\{\{([^{}\n]+)\}\}|\[~([^[\]\n]+)\]|\[([^[\]|\n]+)\|([^[\]|\s]+)(?:\|[^[\]\n]*)?\]|\[(https?:[^[\]|\s]+)\]|(?<![\w*])\*([^*\n]+)\*(?![\w*])/g

function convertInline(line: string, findName: FindName): string {
  return line.replace(inline, (match, monospaced, user, label, target, url, strong) => {
    if (monospaced !== undefined) return code(monospaced)
    if (user !== undefined) return bold(nameOf(user, findName))
    if (label !== undefined) return /^https?:\/\//i.test(target) ? link(label, target) : label
    if (url !== undefined) return url
    return strong.trim() === strong ? `**${strong}**` : match
  })
}

function nameOf(user: string, findName: FindName): string {
  // Jira Cloud mentions users by opaque ids.
  return findName(user) ?? (user.startsWith('accountid:') ? 'someone' : user)
}

/** Returns the user names that a text mentions. */
export function listMentioned(source: string): string[] {
  return Array.from(source.matchAll(/\[~([^[\]\n]+)\]/g), ([, user = '']) => user)
}
