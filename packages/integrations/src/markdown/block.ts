import { openFence } from '../kernel/fit.ts'
import { mute } from './text.ts'

/** What someone wrote, in a quote that nothing inside can end. */
export function quote(words: string): string {
  let inside = mute(words.replace(/\r\n?/g, '\n').trim())
  for (let open = openFence(inside); open !== undefined; open = openFence(inside)) inside += `\n${open}`
  const fence = fenceFor(inside)
  return `${fence} quote\n${inside}\n${fence}`
}

export function codeBlock(code: string, language = ''): string {
  const fence = fenceFor(code)
  return `${fence}${language}\n${code.replace(/\r\n?/g, '\n').trimEnd()}\n${fence}`
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `* ${line}`).join('\n')
}

function fenceFor(inside: string): string {
  const longest = Math.max(2, ...(inside.match(/`{3,}|~{3,}/g) ?? []).map(({ length }) => length))
  return (inside.includes('```') ? '~' : '`').repeat(longest + 1)
}
