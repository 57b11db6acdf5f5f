import emojiData from 'emoji-datasource/emoji.json' with { type: 'json' }
import { fixedEmojiNames } from './fixed-emoji-names.ts'

type DataEntry = (typeof emojiData)[number]

/**
 * Every code with its names, packed as `src/emoji/table.ts` says. Left out as the protocol has it: skin
 * tones, country flags and joined sequences. The names the protocol fixes win; a code that loses its
 * name to another gets its Unicode title.
 */
export function buildEmojiTable(): string {
  const table = namesByCode()
  const codes = [...table.keys()].sort((a, b) => sortKey(a) - sortKey(b))
  let previous = 0
  return codes
    .map((code) => {
      const names = (table.get(code) ?? []).join(' ')
      if (code.includes('-')) return `${code} ${names}|`
      const point = Number.parseInt(code, 16)
      const step = point - previous
      previous = point
      return step === 1 ? `${names}|` : `${step.toString(36)}> ${names}|`
    })
    .join('')
}

function namesByCode(): Map<string, string[]> {
  const taken = new Set<string>()
  const table = new Map<string, string[]>()
  const addName = (code: string, name: string) => {
    if (taken.has(name)) return
    taken.add(name)
    table.set(code, [...(table.get(code) ?? []), name])
  }
  for (const entry of fixedEmojiNames.split('·')) {
    const [code = '', ...names] = entry.trim().split(' ')
    for (const name of names) addName(code, name)
  }
  for (const emoji of emojiData.filter((entry) => !isLeftOut(entry))) {
    const code = emoji.unified.toLowerCase().replaceAll('-fe0f', '')
    for (const name of emoji.short_names) addName(code, name)
    const title = nameFromTitle(emoji.name)
    for (const name of [title, `${title}_symbol`]) if (!table.has(code)) addName(code, name)
    if (!table.has(code)) throw new Error(`no name is left for ${code}`)
  }
  return table
}

function isLeftOut({ unified, category, subcategory }: DataEntry): boolean {
  return (
    unified.includes('200D') || category === 'Component' || /^(?:country|subdivision)-flag$/.test(subcategory)
  )
}

function nameFromTitle(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Codes of more than one point come first, so that the distances between the others stay small. */
function sortKey(code: string): number {
  return code.includes('-') ? Number.parseInt(code, 16) : 0x1000 + Number.parseInt(code, 16)
}
