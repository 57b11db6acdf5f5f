import { clean } from '../kernel/clean.ts'

/**
 * Disables mentions in external text by inserting an invisible character after `@`. An `@` at the
 * end counts too, because bold text may follow.
 */
export function mute(words: string): string {
  return clean(words).replace(/@(?=_?(?:\*|$))/g, '@\u200b')
}

/** Puts a text on one line, and prevents it from opening a code block. */
export function line(words: string): string {
  return mute(words.replace(/\s+/g, ' ').trim()).replace(/^(?=```|~~~)/, '\u200b')
}

export function bold(words: string): string {
  return `**${line(words)}**`
}

/**
 * Formats a text as code, with more backticks than the text has in a row. Mentions are disabled,
 * because an earlier backtick could pair with the opening one.
 */
export function code(words: string): string {
  const inside = mute(words.replace(/\s+/g, ' ').trim())
  const longest = (inside.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0)
  const marks = '`'.repeat(longest + 1)
  return longest === 0 ? `\`${inside}\`` : `${marks} ${inside} ${marks}`
}

/** Returns a link, or just the label if there is no URL. */
export function link(label: string, url: string | undefined): string {
  const linkText = shorten(line(label))
  return url === undefined ? linkText : `[${balanceBrackets(linkText)}](${encodeTarget(url)})`
}

const maxLabelLength = 500

/** Shortens a label, so that its URL stays inside the message. */
function shorten(label: string): string {
  if (label.length <= maxLabelLength) return label
  return `${label.slice(0, maxLabelLength).toWellFormed()}…`
}

/** Replaces unbalanced brackets, which would end the label, by parentheses. */
function balanceBrackets(label: string): string {
  const characters = Array.from(label)
  const open: number[] = []
  for (const [index, character] of characters.entries()) {
    if (character === '[') open.push(index)
    if (character === ']' && open.pop() === undefined) characters[index] = ')'
  }
  for (const index of open) characters[index] = '('
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
