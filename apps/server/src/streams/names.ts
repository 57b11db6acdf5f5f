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
