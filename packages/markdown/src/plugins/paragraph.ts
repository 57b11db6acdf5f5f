import { type Dialect, getLine, isInterrupted } from '../block-state.ts'
import { pushInline, pushToken } from '../block-token.ts'

/** Parses text up to a blank line, or up to the next block that may directly follow text. */
export function paragraphPlugin(md: Dialect): void {
  md.block.ruler.at('paragraph', (state, startLine, endLine) => {
    let line = startLine + 1
    while (line < endLine && !state.isEmpty(line) && !isInterrupted(state, 'paragraph', line, endLine)) line++
    const lines: string[] = []
    for (let at = startLine; at < line; at++) lines.push(getLine(state, at))
    state.line = line
    pushToken(state, 'paragraph_open', 'p', 1)
    pushInline(state, lines.join('\n').trimStart())
    pushToken(state, 'paragraph_close', 'p', -1)
    return true
  })
}
