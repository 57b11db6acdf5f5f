import { clean } from '../kernel/clean.ts'
import { closingLines, fence } from './fences.ts'
import { mute } from './text.ts'

/** Quotes a text in a fenced block that the text itself cannot close. */
export function quote(words: string): string {
  return fence(verbatim(words), ' quote')
}

export function codeBlock(code: string, language = ''): string {
  return fence(clean(code.replace(/\r\n?/g, '\n').trimEnd()), language)
}

export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `* ${line}`).join('\n')
}

/** Lists the entries that have a value as bullets. */
export function details(entries: Readonly<Record<string, string | undefined>>): string {
  return bullets(
    Object.entries(entries).flatMap(([key, value]) => (value === undefined ? [] : [`**${key}**: ${value}`])),
  )
}

/** Joins blocks with a blank line between them. Empty blocks are left out. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n\n')
}

/** Joins lines without blank lines between them. Empty lines are left out. */
export function lines(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join('\n')
}

/** Returns a text with its formatting. Mentions are disabled, and open blocks are closed. */
export function verbatim(words: string): string {
  const quotedText = mute(words.replace(/\r\n?/g, '\n').trim())
  return quotedText + closingLines(quotedText)
}
