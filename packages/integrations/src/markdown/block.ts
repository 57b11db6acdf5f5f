import { clean } from '../kernel/clean.ts'
import { closingLines, fenced } from './fences.ts'
import { mute } from './text.ts'

/** What someone wrote, in a quote that nothing inside can end. */
export function quote(words: string): string {
  return fenced(verbatim(words), ' quote')
}

export function codeBlock(code: string, language = ''): string {
  return fenced(clean(code.replace(/\r\n?/g, '\n').trimEnd()), language)
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `* ${line}`).join('\n')
}

/** A bullet for each that there is something to say about. */
export function details(entries: Readonly<Record<string, string | undefined>>): string {
  return bullets(
    Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [`**${key}**: ${value}`])),
  )
}

/** Below each other, with a blank line between; those that are missing or empty are left out. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n')
}

/** The same without blank lines. */
export function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n')
}

/** What someone wrote to be shown as it is, formatting and all. It calls nobody, and leaves no block open. */
export function verbatim(words: string): string {
  const shown = mute(words.replace(/\r\n?/g, '\n').trim())
  return shown + closingLines(shown)
}
