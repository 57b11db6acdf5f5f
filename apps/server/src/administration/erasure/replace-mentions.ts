import { decodeEntities } from '@oxbow/markdown/entities'
import { erasedName } from './erased-account.ts'
import { mentionAttribute } from './mention-attribute.ts'

export interface MessageText {
  content: string
  rendered_content: string
}

/**
 * Replaces the name in every mention of a person, in the Markdown and in the HTML. Returns
 * undefined if the HTML does not mention the person or the name was replaced before. Keeps names
 * that were typed without the mention syntax.
 */
export function replaceMentions(
  { content, rendered_content }: MessageText,
  user_id: number,
): MessageText | undefined {
  const names = new Set<string>()
  const html = rendered_content.replace(
    mentionInHtml(user_id),
    (_, open: string, at: string, name: string) => {
      names.add(decodeEntities(name))
      return `${open}${at}${erasedName}</span>`
    },
  )
  if (names.size === 0) return undefined
  const choices = [...names].map(escapePattern).join('|')
  const mention = new RegExp(
    `@(_?)\\*\\*(?:(?:${choices})(?:\\|${user_id})?|[^*|\n]+\\|${user_id})\\*\\*`,
    'gi',
  )
  const replaced = content.replace(mention, `@$1**${erasedName}|${user_id}**`)
  if (replaced === content && html === rendered_content) return undefined
  return { content: replaced, rendered_content: html }
}

const mentionInHtml = (user_id: number): RegExp =>
  new RegExp(`(<span class="user-mention(?: silent)?" ${mentionAttribute(user_id)}>)(@?)([^<]*)</span>`, 'g')

const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
