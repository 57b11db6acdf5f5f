import { ApiError } from '@oxbow/contract'

/** Returns the name as stored, with inner spaces as `_`. Throws for invalid names. */
export function checkEmojiName(rawName: string): string {
  const name = rawName.trim().replaceAll(' ', '_')
  if (name === '') throw new ApiError('EMOJI_NAME_MISSING')
  if (!/^[a-z0-9._-]*[a-z0-9]$/.test(name)) throw new ApiError('EMOJI_NAME_INVALID')
  return name
}
