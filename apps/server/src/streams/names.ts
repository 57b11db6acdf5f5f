import { randomUUID } from 'node:crypto'
import { ApiError, countCharacters, maxStreamNameLength } from '@oxbow/contract'

/** Returns the name as it is stored, without surrounding spaces. Throws for invalid names. */
export function checkStreamName(rawName: string): string {
  const name = rawName.trim()
  if (name === '') throw new ApiError('INVALID_STREAM_NAME', { name: rawName })
  if (countCharacters(name) > maxStreamNameLength) throw new ApiError('STREAM_NAME_TOO_LONG')
  if (name.includes('\0')) throw new ApiError('STREAM_NAME_HAS_NUL', { name })
  return name
}

/** Replaces line breaks, because a description is a single line. */
export const toSingleLine = (text: string): string => text.replace(/\r?\n|\r/g, ' ')

const archiveMark = '!DEACTIVATED:'
const maxArchiveMarks = 21

/**
 * Lists possible names for an archived stream, the preferred name first. An archived stream is
 * renamed so that new streams can use its name. The last entry is random, so no other stream has
 * it.
 */
export function listArchivedNames(name: string): string[] {
  const cut = (text: string) => [...text].slice(0, maxStreamNameLength).join('')
  const marked = Array.from({ length: maxArchiveMarks }, (_, extra) =>
    cut(`${'!'.repeat(extra)}${archiveMark}${name}`),
  )
  return [...marked, cut(`${archiveMark}${randomUUID()}:${name}`)]
}
