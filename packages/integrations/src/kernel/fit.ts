import { closingLines } from '../markdown/fences.ts'
import { clean } from './clean.ts'

const maxTopicLength = 60
const maxContentBytes = 10_000
const truncationMark = '\n[message truncated]'

/** Puts a topic on one line and truncates it to the maximum length, with an ellipsis. */
export function fitTopic(topic: string): string {
  const points = Array.from(clean(topic).replace(/\s+/g, ' ').trim())
  return points.length <= maxTopicLength
    ? points.join('')
    : `${points.slice(0, maxTopicLength - 3).join('')}...`
}

/**
 * Truncates a text to the maximum size of a message. Closes open blocks and appends
 * `[message truncated]`.
 */
export function fitContent(content: string): string {
  if (Buffer.byteLength(content) <= maxContentBytes) return content
  let room = maxContentBytes - truncationMark.length
  for (;;) {
    const cut = cutAt(content, room)
    const truncated = cut + closingLines(cut) + truncationMark
    const excess = Buffer.byteLength(truncated) - maxContentBytes
    if (excess <= 0) return truncated
    room -= excess
  }
}

/** Truncates to a number of bytes without splitting a character. */
function cutAt(text: string, bytes: number): string {
  let end = bytes
  const encoded = Buffer.from(text)
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--
  return encoded.toString('utf8', 0, end).trimEnd()
}
