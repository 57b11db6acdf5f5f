import type { StreamId, UserId } from '@oxbow/contract'
import {
  writeCode,
  writeCodeBlock,
  writeLiteral,
  writeMention,
  writeStreamLink,
} from '@oxbow/markdown/write-markdown'

export interface Person {
  id: UserId
  full_name: string
}

export interface NamedStream {
  id: StreamId
  name: string
}

/** The people and streams that a text mentions and links, under the names that it gives them. */
export interface NoticeReferences {
  people: Person[]
  streams: NamedStream[]
}

/**
 * Markdown of a notice. The `notice` tag writes all interpolated strings as literal text, so no name
 * can add a link, a mention or a formula. Call the constructor only in this file.
 */
export class NoticeText {
  readonly markdown: string
  readonly references: Readonly<NoticeReferences>

  constructor(markdown: string, references: Partial<NoticeReferences> = {}) {
    this.markdown = markdown
    this.references = { people: [], streams: [], ...references }
  }
}

export function notice(
  strings: TemplateStringsArray,
  ...parts: readonly (string | number | NoticeText)[]
): NoticeText {
  const texts = parts.map((part) =>
    part instanceof NoticeText ? part : new NoticeText(writeLiteral(String(part))),
  )
  const markdown = strings.reduce(
    (made, written, index) => made + (texts[index - 1]?.markdown ?? '') + written,
  )
  return new NoticeText(markdown, joinReferences(texts))
}

/** Joins texts by a separator, which is written as it is. */
export function joinTexts(texts: readonly NoticeText[], separator: ' ' | ', ' | '\n'): NoticeText {
  return new NoticeText(texts.map(({ markdown }) => markdown).join(separator), joinReferences(texts))
}

export function joinReferences(texts: readonly Pick<NoticeText, 'references'>[]): NoticeReferences {
  return {
    people: texts.flatMap(({ references }) => references.people),
    streams: texts.flatMap(({ references }) => references.streams),
  }
}

/** Mentions a person. No notice notifies the people that it mentions. */
export function mention({ id, full_name }: Person, { silent = false } = {}): NoticeText {
  const people = [{ id, full_name }]
  return new NoticeText(writeMention({ id, fullName: full_name }, { silent }), { people })
}

export const silentMention = (person: Person): NoticeText => mention(person, { silent: true })

export function linkStream({ id, name }: NamedStream): NoticeText {
  return new NoticeText(writeStreamLink({ id, name }), { streams: [{ id, name }] })
}

/** Writes a text as inline code, also if it is an ordinary word. */
export const code = (text: string): NoticeText => new NoticeText(writeCode(text))
export const codeBlock = (text: string): NoticeText => new NoticeText(writeCodeBlock(text))
/** Writes a time, which clients show in the time zone of the reader. */
export const time = (at: Date): NoticeText => new NoticeText(`<time:${at.toISOString()}>`)
