/** Marks that could begin something in Markdown wherever they stand in a line. */
const inlineMarks =
  /[*`]|~(?=~)|(?<=~)~|\$(?=\$)|(?<=\$)\$|<(?=time:)|\]\(|&(?=#?\w{1,30};)|:(?=[\w+-]{1,100}:)/g
/** Marks that could begin a block, or a command, at the start of a line. */
const lineStart =
  /^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=\s|$)|\||\d{1,9}(?=[.)](?:\s|$))|[-=_:](?=[-=_:|\s]*$)|\/(?=\w+(?:\s|$))|!(?=\w+\())/
const fourSpaces = /^ {4}|^ {0,3}\t/

/**
 * Writes Markdown that is shown as this text and nothing else. Marks become entities, which the renderer
 * shows as the marks; ordinary texts stay as they are. Line breaks stay line breaks.
 */
export function escapeText(text: string): string {
  return text.split('\n').map(escapeLine).join('\n')
}

function escapeLine(line: string): string {
  return escapeInline(line)
    .replace(fourSpaces, (spaces) => `\u00a0${spaces.slice(1)}`)
    .replace(lineStart, (_, spaces: string, mark: string) => `${spaces}${toEntity(mark)}${mark.slice(1)}`)
}

const urls = /(\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]*~|]+)/

/** Escapes a text that stands in the middle of a line. Addresses in it become links. */
export const escapeInline = (text: string): string =>
  text
    .split(urls)
    .map((part, index) => (index % 2 === 1 ? writeUrl(part) : escapeMarks(part)))
    .join('')

const escapeMarks = (text: string): string =>
  text.replace(inlineMarks, (mark) => (mark === '](' ? `]${toEntity('(')}` : toEntity(mark)))

const toEntity = (mark: string): string => `&#${mark.charCodeAt(0)};`

/** Marks that end or change the text of a link. */
const marksInLinkText = /[&<`*[\]]|~(?=~)|(?<=~)~|\$(?=\$)|(?<=\$)\$|:(?=[\w+-]{1,100}:)/g
const controls = /[\p{Cc}\u2028\u2029]+/gu

/** Writes a link; the text alone if the address is not one that may be a link. */
export function writeLink(text: string, url: string): string {
  const address = toAddress(url)
  const label = text.replace(controls, ' ').trim()
  if (address === undefined) return escapeMarks(label || url.replace(controls, ' '))
  return `[${writeLabel(label || address)}](${address})`
}

/** Writes a text that stands in the brackets of a link. */
export const writeLabel = (text: string): string =>
  text.replace(controls, ' ').trim().replace(marksInLinkText, toEntity)

/** Returns the address with the characters escaped that would end it; undefined for other schemes than the web and e-mail. */
function toAddress(url: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:|tel:|\/#narrow\/|\/user_uploads\/)\S/i.test(url) || url.length > 4_000)
    return undefined
  return url.replace(/[\s()<>"'\\`*\p{Cc}]/gu, (character) =>
    encodeURIComponent(character).replace(/[()'*]/g, hexEscape),
  )
}

const hexEscape = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Writes an address that a text shows as it is; as a link if it needs to be escaped. */
export function writeUrl(url: string): string {
  return /^https?:\/\/[\w./?=&%#:@+,;~-]+[\w/]$/.test(url) ? url : writeLink(url, url)
}
