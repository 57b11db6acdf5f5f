import { type BlockState, type Dialect, getEnv, getLine, maxNesting, parseInside } from '../block-state.ts'
import { pushInline, pushToken } from '../block-token.ts'
import { pushCode } from './code-block.ts'
import { closeQuote, openQuote } from './quote.ts'

type Fence = { marks: string; language: string; header: string }
type Fenced = { fence: Fence; lines: string[]; next: number }

const marksAtStart = /^(?:`{3,}|~{3,})/
const forbiddenAfter = /[`~]/
const info = /^ *\{?\.?([A-Za-z0-9_+\-./#]*)\}? *(.*)$/s

/** Parses fences: code, quotes, spoilers and math. A fence must be at the very start of a line. */
export function fencePlugin(md: Dialect): void {
  md.block.ruler.before(
    'paragraph',
    'fence_block',
    (state, startLine, endLine, silent) => {
      const first = state.src[state.bMarks[startLine] ?? 0]
      if ((first !== '`' && first !== '~') || !getEnv(state).fencesAllowed) return false
      const fence = readFence(getLine(state, startLine))
      if (!fence) return false
      if (!silent) writeFenced(state, readFenced(state, fence, startLine + 1, endLine))
      return true
    },
    { alt: ['paragraph', 'blockquote', 'list', 'table'] },
  )
}

function readFence(line: string): Fence | undefined {
  const marks = marksAtStart.exec(line)?.[0]
  if (!marks) return undefined
  const rest = line.slice(marks.length)
  if (forbiddenAfter.test(rest)) return undefined
  const [, language = '', header = ''] = info.exec(rest) ?? []
  return { marks, language, header: header.replace(/^\{?\.?/, '').trim() }
}

function isContainer({ language }: Fence): boolean {
  return /^(?:quoted?|spoiler)$/i.test(language)
}

/**
 * Reads a fenced block up to its closing line. In a quote or spoiler, a fence of another length or
 * with a language opens a nested block, which must be closed first.
 */
function readFenced(state: BlockState, fence: Fence, startLine: number, endLine: number): Fenced {
  const lines: string[] = []
  const open = [fence]
  let line = startLine
  for (; line < endLine; line++) {
    const text = getLine(state, line)
    const innermost = open.at(-1) as Fence
    if (text.trimEnd() === innermost.marks) {
      // An empty spoiler is not closed: it hides the following text.
      if (open.length === 1 && lines.length === 0 && isSpoiler(fence)) continue
      open.pop()
      if (open.length === 0) return { fence, lines, next: line + 1 }
    } else if (isContainer(innermost)) {
      const inner = readFence(text)
      if (inner) open.push(inner)
    }
    lines.push(text)
  }
  return { fence, lines, next: line }
}

function isSpoiler({ language }: Fence): boolean {
  return language.toLowerCase() === 'spoiler'
}

function writeFenced(state: BlockState, { fence, lines, next }: Fenced): void {
  const language = fence.language.toLowerCase()
  const text = lines.join('\n')
  const mayNest = getEnv(state).depth < maxNesting
  if (mayNest && (language === 'quote' || language === 'quoted')) writeQuote(state, text)
  else if (mayNest && language === 'spoiler') writeSpoiler(state, fence.header, text)
  else if (language === 'math') writeMath(state, text)
  else pushCode(state, text, fence.language || (getEnv(state).context.defaultCodeLanguage ?? ''))
  state.line = next
}

function writeQuote(state: BlockState, text: string): void {
  if (text.trim() === '') return
  openQuote(state)
  parseInside(state, text, true, true)
  closeQuote(state)
}

function writeSpoiler(state: BlockState, header: string, text: string): void {
  pushToken(state, 'spoiler_open', 'div', 1)
  if (header !== '') {
    pushToken(state, 'paragraph_open', 'p', 1)
    pushInline(state, header)
    pushToken(state, 'paragraph_close', 'p', -1)
  }
  pushToken(state, 'spoiler_content', 'div', 0)
  parseInside(state, text, true, true)
  pushToken(state, 'spoiler_close', 'div', -1)
}

function writeMath(state: BlockState, text: string): void {
  for (const formula of text.split(/\n\s*\n/)) {
    if (formula.trim() === '') continue
    const token = pushToken(state, 'math_block', 'p', 0)
    token.content = formula.trim()
  }
}
