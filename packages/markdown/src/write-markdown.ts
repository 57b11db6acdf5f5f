import { streamHref, topicHref } from './links/narrow-slug.ts'
import type { Person, Stream } from './lookup.ts'

/**
 * Texts without any character that could begin, end or join something in Markdown, wherever in a
 * line they stand. Only linkifiers can match them.
 */
const ordinary = /^(?!\d+\.)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_+/',!?-]|\.(?: |$)| (?!$))*$/u
/** Line breaks and other control characters, which would end a paragraph or a code span. */
const controls = /[\p{Cc}\u2028\u2029]+/gu
/** Characters that change the direction of the text after them. */
const directions = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/**
 * Writes Markdown that is shown as this text and nothing else: ordinary names as they are, other
 * texts as inline code. Line breaks become spaces. The result may be interpolated anywhere in a
 * line, also between the marks of bold text, but not inside a link.
 */
export function writeLiteral(text: string): string {
  const line = toLine(text)
  return ordinary.test(line) ? line : writeCode(line)
}

/** Writes inline code that the text cannot end. Line breaks become spaces. */
export function writeCode(text: string): string {
  const line = toLine(text)
  if (line === '') return ''
  const fence = '`'.repeat(longestRun(line) + 1)
  // A backtick at the edge would become part of the fence.
  const padded = /^`|`$/.test(line) ? ` ${line} ` : line
  return `${fence}${padded}${fence}`
}

/** Writes a code block that the text cannot end. It must begin a line. */
export function writeCodeBlock(rawText: string): string {
  const text = rawText.replaceAll('\0', '')
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}text\n${text}\n${fence}`
}

/** Characters that a name in a mention cannot have. Names that were imported may have them. */
const notInMentions = /[*`\p{Cc}]/u

/**
 * Writes a mention of exactly this person, also if others have the same name. The renderer needs
 * this name and id in its lookup. A name that no mention can contain is written as literal text.
 */
export function writeMention({ id, fullName }: Person, { silent = false } = {}): string {
  if (notInMentions.test(fullName)) return writeLiteral(fullName)
  return `${silent ? '@_' : '@'}**${fullName}|${id}**`
}

/**
 * Writes a link to exactly this stream. Names that the usual form cannot express, such as names with
 * `>` or `*`, become the text of an ordinary link. So nothing but the link is ever shown, even if
 * the stream has another name by the time of rendering.
 */
export function writeStreamLink(stream: Stream): string {
  if (ordinary.test(stream.name)) return `#**${stream.name}**`
  return writeLink(`#${stream.name}`, streamHref(toWellFormed(stream)))
}

/** Writes a link to exactly this topic. */
export function writeTopicLink(stream: Stream, topic: string): string {
  if (ordinary.test(stream.name) && ordinary.test(topic)) return `#**${stream.name}>${topic}**`
  return writeLink(`#${stream.name} > ${topic}`, topicHref(toWellFormed(stream), topic.toWellFormed()))
}

const toWellFormed = ({ id, name }: Stream): Stream => ({ id, name: name.toWellFormed() })

/** Marks that are parsed inside the text of a link, or before links. */
const marksInLinkText = /[&<`*[\]()$@#]/g

/** Writes a link. In its text, marks are written as entities, which the renderer leaves alone. */
function writeLink(text: string, href: string): string {
  const label = toLine(text).replace(marksInLinkText, (mark) => `&#${mark.charCodeAt(0)};`)
  return `[${label}](${href})`
}

function toLine(text: string): string {
  return text.toWellFormed().replace(controls, ' ').replace(directions, '').trim()
}

function longestRun(text: string): number {
  return Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length))
}
