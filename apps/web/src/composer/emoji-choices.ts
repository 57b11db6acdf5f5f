import type { Emoji } from '@oxbow/markdown'
import { customEmoji } from '../client/store.ts'
import { loadedMarkdown } from '../client/writing/render.ts'
import { emojiGlyph } from '../message-text/emoji-glyph.ts'

/** An emoji that can be chosen. */
export interface EmojiChoice {
  readonly name: string
  /** Emoji code, as reactions refer to it. */
  readonly code: string
  readonly glyph: string
  /** Image URL of a custom emoji. */
  readonly url?: string
}

/** Finds emoji by any of their names; custom emoji come first. */
export function findEmoji(query: string, max: number): EmojiChoice[] {
  const typed = query.toLowerCase().replaceAll(/[\s-]/g, '_')
  const own = Object.values(customEmoji.value ?? {})
    .filter(({ deactivated, name }) => !deactivated && name.includes(typed))
    .map(({ id, name, source_url }) => ({ name, code: id, glyph: '', url: source_url }))
  const table = loadedMarkdown.value?.listEmoji()
  if (!table) return own.slice(0, max)
  if (typed === '') return [...own, ...table.emoji.toSorted(facesFirst).map(toChoice)].slice(0, max)
  const names = [...table.codes]
  const starts = names.filter(([name]) => name.startsWith(typed))
  const inside =
    typed.length < 2 ? [] : names.filter(([name]) => !name.startsWith(typed) && name.includes(typed))
  const seen = new Set<string>()
  const found = [...starts.sort(byLength), ...inside.sort(byLength)].flatMap(([name, code]) => {
    if (seen.has(code)) return []
    seen.add(code)
    return [toChoice({ name, code })]
  })
  return [...own, ...found].slice(0, max)
}

/** First code point of the Unicode block of faces, which are used most. */
const firstFace = 0x1f600

function facesFirst(one: Emoji, other: Emoji): number {
  const rankOf = ({ code }: Emoji) => {
    const point = Number.parseInt(code, 16)
    return point >= firstFace ? point - firstFace : point + firstFace
  }
  return rankOf(one) - rankOf(other)
}

const byLength = ([one]: [string, string], [other]: [string, string]): number => one.length - other.length

export const toChoice = ({ name, code }: Emoji): EmojiChoice => ({
  name,
  code,
  glyph: emojiGlyph(code) ?? '',
})
