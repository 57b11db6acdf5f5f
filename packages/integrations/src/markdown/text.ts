import { clean } from '../kernel/clean.ts'

/**
 * Words from outside must call nobody: mentions in them are broken by an invisible character.
 * So is an `@` at the end, for bold may follow.
 */
export function mute(words: string): string {
  return clean(words).replace(/@(?=_?(?:\*|$))/g, '@\u200b')
}

/** On one line, as it is. Where it begins a line of the message it opens no block of code. */
export function line(words: string): string {
  return mute(words.replace(/\s+/g, ' ').trim()).replace(/^(?=```|~~~)/, '\u200b')
}

export function bold(words: string): string {
  return `**${line(words)}**`
}

/** A text that fits between as many backticks as it needs. Muted too: backticks before it may take its marks for theirs. */
export function code(words: string): string {
  const inside = mute(words.replace(/\s+/g, ' ').trim())
  const longest = (inside.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
  const marks = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${inside}\`` : `${marks} ${inside} ${marks}`
}

/** Without a URL just the label. */
export function link(label: string, url: string | undefined): string {
  const shown = shorten(line(label))
  return url === undefined ? shown : `[${balanced(shown)}](${encodeTarget(url)})`
}

const longestLabel = 500

/** So that no label pushes its URL out of the message. */
function shorten(label: string): string {
  if (label.length <= longestLabel) return label
  return `${label.slice(0, longestLabel).toWellFormed()}…`
}

/** Brackets that have no partner would end the label. */
function balanced(label: string): string {
  const characters = Array.from(label)
  const open: number[] = []
  for (const [place, character] of characters.entries()) {
    if (character === '[') open.push(place)
    if (character === ']' && open.pop() === undefined) characters[place] = ')'
  }
  for (const place of open) characters[place] = '('
  return characters.join('')
}

function encodeTarget(url: string): string {
  return url
    .trim()
    .replace(
      /[()<>"'\s\\]/g,
      (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
    )
}
