import {
  type BlockState,
  type Dialect,
  getEnv,
  getLine,
  isInterrupted,
  maxNesting,
  parseInside,
} from '../block-state.ts'
import { type BlockToken, getTokens, pushToken } from '../block-token.ts'

const quoted = /^ {0,3}> ?(.*)$/s

/** Parses `> text`. The following lines belong to the quote, up to a blank line or another block. */
export function quotePlugin(md: Dialect): void {
  md.block.ruler.before(
    'paragraph',
    'quote_block',
    (state, startLine, endLine, silent) => {
      if (getEnv(state).depth >= maxNesting || !isQuoted(state, startLine)) return false
      if (!quotesSomething(state, startLine, endLine)) return false
      if (silent) return true
      writeQuote(state, readQuote(state, startLine, endLine))
      return true
    },
    { alt: ['paragraph'] },
  )
}

export function openQuote(state: BlockState): void {
  pushToken(state, 'blockquote_open', 'blockquote', 1)
}

export function closeQuote(state: BlockState): void {
  pushToken(state, 'blockquote_close', 'blockquote', -1)
}

function isQuoted(state: BlockState, line: number): boolean {
  const indent = state.tShift[line] ?? 0
  return indent <= 3 && state.src[(state.bMarks[line] ?? 0) + indent] === '>'
}

/** Caches the line before which a bare `>` quotes nothing and stays text, so that it is found only once. */
const bareUntil = new WeakMap<BlockState, number>()

function quotesSomething(state: BlockState, startLine: number, endLine: number): boolean {
  if (startLine < (bareUntil.get(state) ?? 0)) return false
  let line = startLine
  while (line < endLine && isQuoted(state, line) && contentOf(state, line) === '') line++
  if (line < endLine && !state.isEmpty(line)) {
    if (isQuoted(state, line) || !isInterrupted(state, 'blockquote', line, endLine)) return true
  }
  bareUntil.set(state, line)
  return false
}

function contentOf(state: BlockState, line: number): string {
  const text = getLine(state, line)
  const content = quoted.exec(text)?.[1] ?? text
  return content.trim() === '' ? '' : content
}

function readQuote(state: BlockState, startLine: number, endLine: number): string {
  const lines: string[] = []
  let line = startLine
  for (; line < endLine; line++) {
    if (state.isEmpty(line)) {
      const next = state.skipEmptyLines(line)
      // Quotes with only blank lines between them are joined.
      if (next >= endLine || !isQuoted(state, next) || !quotesSomething(state, next, endLine)) break
      lines.push('')
      line = next
    }
    if (isQuoted(state, line)) lines.push(contentOf(state, line))
    else if (isInterrupted(state, 'blockquote', line, endLine)) break
    else lines.push(getLine(state, line))
  }
  state.line = line
  return lines.join('\n')
}

function writeQuote(state: BlockState, text: string): void {
  openQuote(state)
  parseInside(state, text, false, false)
  if (endsInBareMark.test(text)) addLineBreak(getTokens(state))
  closeQuote(state)
}

/**
 * Matches a text that ends with a single empty `>` below a line of text. Several such lines are
 * treated as blank lines.
 */
const endsInBareMark = /[^\n]\n$/

/** Ends the last paragraph with a line break. */
function addLineBreak(tokens: readonly BlockToken[]): void {
  let at = tokens.length - 1
  while (tokens[at]?.nesting === -1) at--
  const text = tokens[at]
  if (text?.type === 'inline' && tokens[at - 1]?.type === 'paragraph_open') text.content += '\n'
}
