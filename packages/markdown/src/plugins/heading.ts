import { type Dialect, getLine } from '../block-state.ts'
import { pushInline, pushToken } from '../block-token.ts'

const opening = /^(#{1,6}) /

/** Parses `# h` to `###### h`, at the very start of a line. */
export function headingPlugin(md: Dialect): void {
  md.block.ruler.before(
    'paragraph',
    'heading_line',
    (state, line, _endLine, silent) => {
      if (state.src[state.bMarks[line] ?? 0] !== '#') return false
      const text = getLine(state, line)
      const marks = opening.exec(text)?.[1]
      if (!marks) return false
      if (silent) return true
      const tag = `h${marks.length}`
      state.line = line + 1
      pushToken(state, 'heading_open', tag, 1)
      pushInline(state, withoutClosingMarks(text.slice(marks.length)).trim())
      pushToken(state, 'heading_close', tag, -1)
      return true
    },
    { alt: ['paragraph', 'blockquote', 'list'] },
  )
}

function withoutClosingMarks(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (trimmed[end - 1] === '#') end--
  return trimmed.slice(0, end)
}
