import { emojiTable } from './table.ts'

export type Emoji = { code: string; name: string }

type Index = { codes: Map<string, string>; byCode: Map<string, Emoji> }

let index: Index | undefined

/** Returns the table, which is unpacked on first use so that loading the package stays cheap. */
function getIndex(): Index {
  index ??= unpack(emojiTable)
  return index
}

/** Returns the code of an emoji by its canonical name or an alias. */
export function findEmojiCode(name: string): string | undefined {
  return getIndex().codes.get(name)
}

export function findEmojiByCode(code: string): Emoji | undefined {
  return getIndex().byCode.get(code)
}

export function findEmojiByCharacter(character: string): Emoji | undefined {
  return findEmojiByCode((character.codePointAt(0) ?? 0).toString(16).padStart(4, '0'))
}

/** Lists every emoji with its canonical name, and every name with its code, for pickers and typeahead. */
export function listEmoji(): { emoji: Emoji[]; codes: ReadonlyMap<string, string> } {
  const { byCode, codes } = getIndex()
  return { emoji: [...byCode.values()], codes }
}

function unpack(table: string): Index {
  const codes = new Map<string, string>()
  const byCode = new Map<string, Emoji>()
  let point = 0
  for (const entry of table.split('|')) {
    if (entry === '') continue
    const names = entry.split(' ')
    let code: string
    if (/^[0-9a-f]{4}-[0-9a-f-]+$/.test(names[0] ?? '')) {
      code = names.shift() ?? ''
    } else {
      point += names[0]?.endsWith('>') ? Number.parseInt(names.shift() ?? '', 36) : 1
      code = point.toString(16).padStart(4, '0')
    }
    byCode.set(code, { code, name: names[0] ?? '' })
    for (const name of names) codes.set(name, code)
  }
  return { codes, byCode }
}
