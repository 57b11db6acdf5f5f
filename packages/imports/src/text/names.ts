import { countCharacters, maxStreamNameLength } from '@oxbow/contract'

const maxPersonName = 100
const minPersonName = 2
/** Characters that a mention, or the server, refuses in names; private-use characters and U+FFFD too. */
const notInNames = /[*`\\>"@\p{Cc}\p{Co}\p{Cn}\ufffd\u2028\u2029]+/gu
/** Characters that change the direction of the text after them. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Makes a valid name for an account of the first candidate that has enough left. */
export function cleanPersonName(candidates: readonly string[], id: string): string {
  for (const candidate of [...candidates, `Person ${id}`]) {
    const name = cleanName(candidate)
    if (countCharacters(name) >= minPersonName) return name
  }
  return 'Person'
}

function cleanName(rawName: string): string {
  const plain = rawName
    .toWellFormed()
    .normalize('NFC')
    .replace(directions, '')
    .replace(/"/g, '’')
    .replace(notInNames, ' ')
    // The end of a mention: a name followed by an id.
    .replace(/\|(?=\d+\s*$)/, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return cut(plain, maxPersonName).trim()
}

/** Returns the name of a stream, without the characters that cannot be shown. */
export function cleanStreamName(rawName: string, id: string): string {
  const plain = rawName
    .toWellFormed()
    .replace(directions, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return cutWithEllipsis(plain || `channel ${id}`.slice(0, maxStreamNameLength), maxStreamNameLength)
}

/** Adds a suffix to a name, which is cut so that both fit. */
export const addSuffix = (name: string, suffix: string, max: number): string =>
  `${cutWithEllipsis(name, max - countCharacters(suffix))}${suffix}`

/** Cuts a text to a number of characters. */
export const cut = (text: string, max: number): string =>
  text.length <= max ? text : [...text].slice(0, max).join('')

const cutWithEllipsis = (text: string, max: number): string =>
  countCharacters(text) <= max ? text : `${cut(text, max - 1).trimEnd()}…`

/** Cuts a text at a word if one ends near the limit. */
export function cutAtWord(text: string, max: number): string {
  if (countCharacters(text) <= max) return text
  const start = cut(text, max - 1)
  const end = start.lastIndexOf(' ')
  return `${start.slice(0, end >= start.length / 2 ? end : start.length).trimEnd()}…`
}

export const maxEmojiName = 100

/** Returns a valid name of a custom emoji: lower-case letters, digits, `.`, `-` and `_`. */
export function cleanEmojiName(rawName: string): string {
  const plain = rawName
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9._-]/g, '_')
    .slice(0, maxEmojiName)
    .replace(/(?<![^a-z0-9])[^a-z0-9]+$/, '')
  return /[a-z0-9]$/.test(plain) ? plain : 'emoji'
}

/** Returns a text in one line that can be a topic: no control characters, and no marks of resolved topics. */
export const cleanTopic = (text: string): string =>
  text
    .toWellFormed()
    .replace(directions, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[✔✓☑\s]+/u, '')
    .trim()
