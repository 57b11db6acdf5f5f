import { randomUUID } from 'node:crypto'
import { ApiError, countCharacters, maxStreamNameLength } from '@oxbow/contract'

/** Names that differ only in case are the same name; spaces around one do not count. */
export const foldName = (name: string): string => name.trim().toLowerCase()

/** As `foldName`, for topics. */
export const foldTopic = (topic: string): string => topic.toLowerCase()

/** The name as it is kept. */
export function checkStreamName(given: string): string {
  const name = given.trim()
  if (name === '') throw new ApiError('INVALID_STREAM_NAME', { name: given })
  if (countCharacters(name) > maxStreamNameLength) throw new ApiError('STREAM_NAME_TOO_LONG')
  if (name.includes('\0')) throw new ApiError('STREAM_NAME_HAS_NUL', { name })
  return name
}

/** A description is one line. */
export const oneLine = (text: string): string => text.replace(/\r?\n|\r/g, ' ')

const mark = '!DEACTIVATED:'
const mostMarks = 21

/** Names that an archived stream may have, best first; nobody can have guessed the last one. Its own becomes free for another. */
export function archivedNames(name: string): string[] {
  const cut = (text: string) => [...text].slice(0, maxStreamNameLength).join('')
  const marked = Array.from({ length: mostMarks }, (_, extra) => cut(`${'!'.repeat(extra)}${mark}${name}`))
  return [...marked, cut(`${mark}${randomUUID()}:${name}`)]
}
