import { writeFile } from 'node:fs/promises'
import { buildEmojiTable } from './build-emoji-table.ts'

/** Writes `src/emoji/table.ts`, broken into lines of readable length. */
const lines: string[] = ['']
for (const entry of buildEmojiTable().split(/(?<=\|)/)) {
  const last = lines.at(-1) ?? ''
  if (last.length + entry.length > 96) lines.push(entry)
  else lines[lines.length - 1] = last + entry
}
const source = `// Written by scripts/write-emoji-table.ts from protocol-emoji-names.txt and emoji-datasource; do not edit by hand.

/**
 * Each entry has a canonical name and aliases, and ends with \`|\`. A first word with a hyphen is the
 * whole code. A first word that ends with \`>\` is the distance from the previous code point, in base
 * 36; otherwise the distance is 1.
 */
export const emojiTable =
${lines.map((line) => `  '${line}'`).join(' +\n')}
`
await writeFile(new URL('../src/emoji/table.ts', import.meta.url), source)
