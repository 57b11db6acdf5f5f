import { type Dialect, getLine } from '../block-state.ts'
import { pushCode } from './code-block.ts'

/** Parses code that is indented by four spaces, at the start of a block only. */
export function indentedCodePlugin(md: Dialect): void {
  md.block.ruler.before('paragraph', 'indented_code', (state, startLine, endLine) => {
    if ((state.sCount[startLine] ?? 0) < 4) return false
    const lines: string[] = []
    let line = startLine
    let end = startLine
    for (; line < endLine; line++) {
      const empty = state.isEmpty(line)
      if (!empty && (state.sCount[line] ?? 0) < 4) break
      lines.push(getLine(state, line).slice(4))
      if (!empty) end = line + 1
    }
    state.line = end
    pushCode(state, lines.join('\n'), '')
    return true
  })
}
