import { writeFile } from 'node:fs/promises'
import { buildEmojiTable } from './build-emoji-table.ts'

/** Writes `src/emoji/table.ts`, in lines of a readable length. */
const lines: string[] = ['']
for (const entry of buildEmojiTable().split(/(?<=\|)/)) {
  const last = lines.at(-1) ?? ''
  if (last.length + entry.length > 96) lines.push(entry)
  else lines[lines.length - 1] = last + entry
}
const source = `// Written by scripts/write-emoji-table.ts from protocol-emoji-names.txt and emoji-datasource; do not edit by hand.

/**
 * Entries end in \`|\` and hold a canonical name and aliases. A first word ending in \`>\` is the
 * distance from the code point before, in base 36, when that is not 1; one with a hyphen is a whole
 * code.
 */
export const emojiTable =
${lines.map((line) => `  '${line}'`).join(' +\n')}
`
await writeFile(new URL('../src/emoji/table.ts', import.meta.url), source)
