import { ApiError, countCharacters, maxContentBytes, maxTopic } from '@oxbow/contract'

/** As it is kept: people's words are refused rather than cut. Spaces at the end do not count; in front they do. */
export function checkContent(given: string): string {
  const content = given.trimEnd()
  if (content === '') throw new ApiError('MESSAGE_EMPTY')
  return checkText(content)
}

/** An edit that leaves nothing says so. */
export function checkEditedContent(given: string): string {
  return checkText(given.trim() || '(deleted)')
}

function checkText(content: string): string {
  if (content.includes('\0')) throw new ApiError('MESSAGE_HAS_NUL')
  // A character takes at most three bytes for each half of it.
  if (content.length * 3 > maxContentBytes && Buffer.byteLength(content) > maxContentBytes)
    throw new ApiError('CONTENT_TOO_LONG')
  return content
}

/** Left by clients that ask for none. */
export const noTopic = '(no topic)'

export function checkTopic(given: string): string {
  const topic = given.trim()
  if (topic === '') throw new ApiError('TOPIC_EMPTY')
  if (topic.length > maxTopic && countCharacters(topic) > maxTopic) throw new ApiError('TOPIC_TOO_LONG')
  return topic
}
