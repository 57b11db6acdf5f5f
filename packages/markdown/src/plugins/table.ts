import { type BlockState, type Dialect, getLine, isInterrupted } from '../block-state.ts'
import { pushInline, pushToken } from '../block-token.ts'

type Alignment = 'left' | 'center' | 'right' | undefined
type Table = { header: string[]; alignments: Alignment[]; rows: string[][] }

const separatorLine = /^[|:\- ]+$/
const separatorCell = /^:?-+:?$/
/**
 * Maximum number of cells. Short rows are filled up to the width of the header, so a wide header
 * with many rows would produce a huge table.
 */
const maxCells = 4000

/** Parses a header row, a row of dashes, and rows up to a blank line. */
export function tablePlugin(md: Dialect): void {
  md.block.ruler.before('paragraph', 'table_block', (state, startLine, endLine) => {
    const table = readTable(state, startLine, endLine)
    if (!table) return false
    writeTable(state, table)
    return true
  })
}

function readTable(state: BlockState, startLine: number, endLine: number): Table | undefined {
  if (startLine + 1 >= endLine || (state.sCount[startLine] ?? 0) >= 4) return undefined
  const separator = getLine(state, startLine + 1).trim()
  const headerLine = getLine(state, startLine).trim()
  if (!separatorLine.test(separator) || !separator.includes('-') || !headerLine.includes('|'))
    return undefined
  if (!separator.includes('|') || isInterrupted(state, 'table', startLine + 1, endLine)) return undefined
  const cells = splitRow(separator)
  const header = splitRow(headerLine)
  if (cells.length !== header.length || !cells.every((cell) => separatorCell.test(cell))) return undefined
  if (cells.length === 1 && !(headerLine.startsWith('|') || headerLine.endsWith('|'))) return undefined

  const maxRows = Math.floor(maxCells / cells.length)
  if (maxRows < 2) return undefined
  let line = startLine + 2
  while (line < endLine && line - startLine < maxRows && !state.isEmpty(line)) {
    if (isInterrupted(state, 'table', line, endLine)) break
    line++
  }
  const rows: string[][] = []
  for (let at = startLine + 2; at < line; at++) rows.push(splitRow(getLine(state, at).trim()))
  state.line = line
  return { header, alignments: cells.map(getAlignment), rows: rows.length > 0 ? rows : [[]] }
}

function getAlignment(cell: string): Alignment {
  const hasLeftColon = cell.startsWith(':')
  const hasRightColon = cell.endsWith(':')
  if (hasLeftColon && hasRightColon) return 'center'
  if (hasLeftColon) return 'left'
  return hasRightColon ? 'right' : undefined
}

/** Splits at pipes that are not inside inline code. */
function splitRow(row: string): string[] {
  const text = row.slice(row.startsWith('|') ? 1 : 0, row.length > 1 && row.endsWith('|') ? -1 : undefined)
  const codeEnds = findCodeEnds(text)
  const cells: string[] = []
  let start = 0
  let codeUntil = 0
  for (const { index, 0: found } of text.matchAll(/`+|\|/g)) {
    if (index < codeUntil) continue
    if (found !== '|') {
      codeUntil = codeEnds.get(index) ?? 0
      continue
    }
    cells.push(text.slice(start, index).trim())
    start = index + 1
  }
  cells.push(text.slice(start).trim())
  return cells
}

/** Maps the start of each run of backticks that opens code to the end of that code. */
function findCodeEnds(text: string): Map<number, number> {
  const nextOfLength = new Map<number, number>()
  const ends = new Map<number, number>()
  for (const { index, 0: run } of [...text.matchAll(/`+/g)].reverse()) {
    const partner = nextOfLength.get(run.length)
    if (partner !== undefined) ends.set(index, partner + run.length)
    nextOfLength.set(run.length, index)
  }
  return ends
}

function writeTable(state: BlockState, { header, alignments, rows }: Table): void {
  pushToken(state, 'table_open', 'table', 1)
  pushToken(state, 'thead_open', 'thead', 1)
  writeRow(state, 'th', header, alignments)
  pushToken(state, 'thead_close', 'thead', -1)
  pushToken(state, 'tbody_open', 'tbody', 1)
  for (const row of rows) writeRow(state, 'td', row, alignments)
  pushToken(state, 'tbody_close', 'tbody', -1)
  pushToken(state, 'table_close', 'table', -1)
}

function writeRow(
  state: BlockState,
  tag: string,
  cells: readonly string[],
  alignments: readonly Alignment[],
): void {
  pushToken(state, 'tr_open', 'tr', 1)
  for (const [index, alignment] of alignments.entries()) {
    const open = pushToken(state, `${tag}_open`, tag, 1)
    if (alignment) open.attributes = { align: alignment }
    pushInline(state, cells[index] ?? '')
    pushToken(state, `${tag}_close`, tag, -1)
  }
  pushToken(state, 'tr_close', 'tr', -1)
}
