import { decodeEntities } from '@oxbow/markdown/entities'
import { erasedName } from './erased-account.ts'
import { mentionAttribute } from './mention-attribute.ts'

export interface MessageText {
  content: string
  rendered_content: string
}

export interface ReplacedText extends MessageText {
  /** The names that the mentions had. */
  names: ReadonlySet<string>
}

/**
 * Replaces the name in every mention of a person, in the Markdown and in the HTML. Returns
 * undefined if the HTML does not mention the person or the name was replaced before. Keeps names
 * that were typed without the mention syntax.
 */
export function replaceMentions(
  { content, rendered_content }: MessageText,
  user_id: number,
): ReplacedText | undefined {
  const encodedNames = new Set<string>()
  const html = rendered_content.replace(
    mentionInHtml(user_id),
    (_, open: string, at: string, name: string) => {
      encodedNames.add(name)
      return `${open}${at}${erasedName}</span>`
    },
  )
  if (encodedNames.size === 0) return undefined
  const names = new Set([...encodedNames].map(decodeEntities))
  const replaced = {
    content: replaceInMarkdown(content, names, user_id),
    rendered_content: replaceSyntaxInHtml(html, encodedNames, user_id),
    names,
  }
  const isSame = replaced.content === content && replaced.rendered_content === rendered_content
  return isSame ? undefined : replaced
}

/** Replaces the name in every mention of a person who has or had these names. */
export function replaceInMarkdown(text: string, names: ReadonlySet<string>, user_id: number): string {
  const mention = new RegExp(`@(_?)\\*\\*${namePattern(names, user_id, '*')}\\*\\*`, 'gi')
  return text.replace(mention, `@$1**${erasedName}|${user_id}**`)
}

/**
 * Replaces the name where the HTML shows the syntax of a mention: in code, in the text of a link, and where the
 * name did not fit the id.
 */
function replaceSyntaxInHtml(html: string, encodedNames: ReadonlySet<string>, user_id: number): string {
  const name = namePattern(encodedNames, user_id, '*<')
  return html
    .replace(new RegExp(`@(_?)\\*\\*${name}\\*\\*`, 'gi'), `@$1**${erasedName}|${user_id}**`)
    .replace(
      new RegExp(`@(_?)<strong>${name}</strong>`, 'gi'),
      `@$1<strong>${erasedName}|${user_id}</strong>`,
    )
}

/** A pattern for one of the names, with or without the id, or any name with the id. */
function namePattern(names: ReadonlySet<string>, user_id: number, excluded: string): string {
  const anyName = `[^${excluded}|\n]+\\|${user_id}`
  if (names.size === 0) return `(?:${anyName})`
  return `(?:(?:${[...names].map(escapePattern).join('|')})(?:\\|${user_id})?|${anyName})`
}

const mentionInHtml = (user_id: number): RegExp =>
  new RegExp(`(<span class="user-mention(?: silent)?" ${mentionAttribute(user_id)}>)(@?)([^<]*)</span>`, 'g')

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
