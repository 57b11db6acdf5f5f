import { ApiError, countCharacters } from '@oxbow/contract'

const longest = 100
const shortest = 2
/** Control, format, private and unassigned characters, what stands for a broken one, and those that mentions are written with. */
const forbidden = /[\p{C}\ufffd*`\\>"@]/u

/** The name as it is kept, or a refusal. */
export function checkFullName(given: string): string {
  const name = given.trim()
  const length = countCharacters(name)
  if (length > longest) throw new ApiError('NAME_TOO_LONG')
  if (length < shortest) throw new ApiError('NAME_TOO_SHORT')
  if (forbidden.test(name)) throw new ApiError('NAME_INVALID_CHARACTERS')
  // `Iris|7` is how a mention names the person with id 7.
  if (/\|\d+$/.test(name)) throw new ApiError('NAME_INVALID_FORMAT')
  return name
}
