import type { Key, RestOf, Translate } from '@oxbow/texts'

/**
 * Text of an e-mail. The `mailText` tag writes interpolated strings as harmless names, because people who
 * invite others can send any name to any mailbox. Call the constructor only in this file.
 */
export class MailText {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export function mailText(
  strings: TemplateStringsArray,
  ...parts: readonly (string | number | MailText)[]
): MailText {
  return new MailText(strings.reduce((made, written, index) => made + write(parts[index - 1]) + written))
}

/** Returns a text of the catalogue. Its strings become harmless names, as in `mailText`. */
export function translateMail<K extends Key>(t: Translate, key: K, ...rest: RestOf<K, MailText>): MailText {
  const [values = {}] = rest as [values?: Readonly<Record<string, string | number | MailText>>]
  const written = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'number' ? value : new MailText(write(value)),
  ])
  const pieces = t.pieces<K, MailText>(key, ...([Object.fromEntries(written)] as unknown as typeof rest))
  return new MailText(pieces.map((piece) => (piece instanceof MailText ? piece.text : piece)).join(''))
}

/** Writes an address of this server, or of the reader, which a mail program may turn into a link. */
export const linkable = (address: string): MailText => new MailText(address)

/** Puts an empty line between paragraphs. */
export const joinParagraphs = (...texts: readonly MailText[]): MailText =>
  new MailText(`${texts.map(({ text }) => text).join('\n\n')}\n`)

function write(part: string | number | MailText | undefined): string {
  return part instanceof MailText ? part.text : toHarmlessName(String(part ?? ''))
}

const maxNameCharacters = 60
/** Line breaks, and characters that end a line or a paragraph in some programs. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]+/gu
/** Invisible characters, except those that join letters or emoji. */
const invisible = /(?![\u200c\u200d])\p{Cf}/gu
/** Marks with which a mail program joins words to a link, also in other scripts. */
const joiningMarks = /[.:@\u2024\u3002\uff0e\uff1a\uff20\uff61](?=\S)/g

/**
 * Returns the name on one line and without anything that a mail program turns into a link: a space
 * follows each full stop, colon and at sign. A long name is cut.
 */
export function toHarmlessName(name: string): string {
  const line = name.toWellFormed().replace(breaks, ' ').replace(invisible, '').trim()
  const characters = [...line.replace(joiningMarks, '$& ')]
  if (characters.length <= maxNameCharacters) return characters.join('')
  return `${characters
    .slice(0, maxNameCharacters - 1)
    .join('')
    .trimEnd()}…`
}
