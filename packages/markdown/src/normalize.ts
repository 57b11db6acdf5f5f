import type { Dialect } from './block-state.ts'

/**
 * Normalizes line ends to `\n`, expands tabs to columns of four, and removes the placeholder
 * character for nodes.
 */
export function normalizePlugin(md: Dialect): void {
  md.core.ruler.at('normalize', (state) => {
    state.src = normalizeText(state.src)
  })
}

export function normalizeText(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?/g, '\n').replaceAll('\0', '\u{fffd}')
  return lines.includes('\t') ? lines.split('\n').map(expandTabs).join('\n') : lines
}

function expandTabs(line: string): string {
  const [first = '', ...rest] = line.split('\t')
  let expanded = first
  for (const part of rest) expanded += ' '.repeat(4 - (expanded.length % 4)) + part
  return expanded
}
