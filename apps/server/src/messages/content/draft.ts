import { ApiError, countCharacters, maxContentBytes, maxTopicLength } from '@oxbow/contract'
import { fitContent, fitTopic } from '@oxbow/integrations'
import type { Actor } from '../../platform/actor.ts'

/** How an overlong text is handled. */
export type LengthRule = 'refuse' | 'cut'

/**
 * Overlong texts of people are refused, so that nothing is lost unnoticed. Overlong texts of bots
 * are truncated, because a bot cannot react to a refusal, and a truncated alert is better than
 * none.
 */
export const lengthRuleFor = ({ bot_type }: Pick<Actor, 'bot_type'>): LengthRule =>
  bot_type === null ? 'refuse' : 'cut'

/** Returns the content in the form in which it is stored: without trailing white space. */
export function checkContent(rawContent: string, rule: LengthRule): string {
  const content = rawContent.trimEnd()
  if (content === '') throw new ApiError('MESSAGE_EMPTY')
  return checkText(content, rule)
}

/**
 * Returns the edited content in the form in which it is stored. An empty edit becomes "(deleted)".
 */
export function checkEditedContent(content: string, rule: LengthRule): string {
  return checkText(content.trim() || '(deleted)', rule)
}

function checkText(content: string, rule: LengthRule): string {
  if (content.includes('\0')) throw new ApiError('MESSAGE_HAS_NUL')
  // A UTF-16 code unit takes at most three bytes in UTF-8, so most texts need not be measured.
  if (content.length * 3 <= maxContentBytes || Buffer.byteLength(content) <= maxContentBytes) return content
  if (rule === 'refuse') throw new ApiError('CONTENT_TOO_LONG')
  return fitContent(content)
}

/** The topic that clients send if the user entered none. */
export const noTopic = '(no topic)'

export function checkTopic(rawTopic: string, rule: LengthRule): string {
  const topic = rawTopic.trim()
  if (topic === '') throw new ApiError('TOPIC_EMPTY')
  if (topic.length <= maxTopicLength || countCharacters(topic) <= maxTopicLength) return topic
  if (rule === 'refuse') throw new ApiError('TOPIC_TOO_LONG')
  return fitTopic(topic)
}
