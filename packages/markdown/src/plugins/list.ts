import {
  type BlockState,
  type Dialect,
  getEnv,
  getLine,
  isInterrupted,
  maxNesting,
  parseInside,
} from '../block-state.ts'
import { getTokens, pushToken } from '../block-token.ts'

type Marker = { ordered: boolean; number: string; content: string }
type Item = { loose: boolean; head: string[]; body: string[] }
type List = { ordered: boolean; start: string; items: Item[] }

const marker = /^ ?(?:[*+-]|(\d+)\.) +(.*)$/s
const markerOfNested = /^ {2,3}(?:[*+-]|\d+\.) /
const followingMarker = /^ *(?:[*+-]|(\d)\.) /
const markerAlone = /^ ?(?:[*+-]|(\d+)\.) *$/

/** Parses bullet and numbered lists. Each level of nesting is indented by two spaces. */
export function listPlugin(md: Dialect): void {
  md.block.ruler.before(
    'paragraph',
    'list_block',
    (state, startLine, endLine, silent) => {
      if (getEnv(state).depth >= maxNesting) return false
      if (silent) return followsLine(state, startLine)
      const first = readMarker(state, startLine)
      if (!first) return false
      const list = readList(state, startLine, endLine, first)
      writeList(state, list)
      return true
    },
    { alt: ['paragraph', 'blockquote', 'table'] },
  )
}

/**
 * Returns whether a marker begins a list directly below another line, without a blank line between
 * them. The line above must be text or have a marker of the other kind. A number with several digits
 * does not begin a list there, because it is more likely the end of a sentence.
 */
function followsLine(state: BlockState, line: number): boolean {
  if (!getEnv(state).listsFollowText || line === 0) return false
  const marker = followingMarker.exec(getLine(state, line))
  if (!marker) return false
  const above = followingMarker.exec(getLine(state, line - 1))
  return !above || (above[1] === undefined) !== (marker[1] === undefined)
}

function readMarker(state: BlockState, line: number): Marker | undefined {
  if ((state.sCount[line] ?? 0) > 1) return undefined
  const text = getLine(state, line)
  const match = marker.exec(text) ?? (text.endsWith(' ') ? markerAlone.exec(text) : undefined)
  if (!match) return undefined
  return { ordered: match[1] !== undefined, number: match[1] ?? '', content: match[2] ?? '' }
}

function readList(state: BlockState, startLine: number, endLine: number, first: Marker): List {
  let item: Item = { loose: false, head: [first.content], body: [] }
  const items = [item]
  let line = startLine + 1
  let afterBlank = false
  let inBody = false
  for (; line < endLine; line++) {
    if (state.isEmpty(line)) {
      afterBlank = true
      continue
    }
    if (isInterrupted(state, 'list', line, endLine)) break
    if (!afterBlank && followsLine(state, line)) afterBlank = true
    const next = readMarker(state, line)
    if (next && (next.ordered === first.ordered || afterBlank)) {
      if (next.ordered !== first.ordered) break
      if (afterBlank) item.loose = true
      item = { loose: afterBlank, head: [next.content], body: [] }
      items.push(item)
      inBody = false
    } else {
      const text = getLine(state, line)
      const indent = state.sCount[line] ?? 0
      if (afterBlank) {
        // Four spaces after a blank line begin a code block, which ends the list.
        if (indent < 2 || indent >= 4) break
        item.loose = true
        inBody = true
        item.body.push('', text.slice(2))
      } else if (!inBody && !markerOfNested.test(text)) {
        item.head.push(text)
      } else {
        inBody = true
        item.body.push(text.slice(Math.min(2, indent)))
      }
    }
    afterBlank = false
  }
  state.line = line
  return { ordered: first.ordered, start: first.number, items }
}

function writeList(state: BlockState, list: List): void {
  const tag = list.ordered ? 'ol' : 'ul'
  const open = pushToken(state, 'list_open', tag, 1)
  const start = String(Number(list.start))
  if (list.ordered && start !== '1' && Number.isSafeInteger(Number(start))) open.attributes = { start }
  for (const item of list.items) {
    pushToken(state, 'list_item_open', 'li', 1)
    const before = getTokens(state).length
    parseInside(state, item.head.join('\n'), false, false)
    if (!item.loose) hideFirstParagraph(state, before)
    parseInside(state, item.body.join('\n'), false, false)
    pushToken(state, 'list_item_close', 'li', -1)
  }
  pushToken(state, 'list_close', tag, -1)
}

function hideFirstParagraph(state: BlockState, at: number): void {
  const [open, , close] = getTokens(state).slice(at, at + 3)
  if (open?.type !== 'paragraph_open' || !close) return
  open.hidden = true
  close.hidden = true
}
