import { ApiError, countCharacters } from '@oxbow/contract'
import { OperatorError } from '../../platform/operator-error.ts'

const maxLength = 100
const minLength = 2
/** Control, format, private-use and unassigned characters, line separators, U+FFFD, and the syntax of mentions. */
const forbiddenCharacters = /[\p{C}\p{Zl}\p{Zp}\ufffd*`\\>"@]/u

/** Returns the trimmed name. Throws the error of the first rule that it breaks. */
export function checkFullName(rawName: string): string {
  const name = rawName.trim()
  const length = countCharacters(name)
  if (length > maxLength) throw new ApiError('NAME_TOO_LONG')
  if (length < minLength) throw new ApiError('NAME_TOO_SHORT')
  if (forbiddenCharacters.test(name)) throw new ApiError('NAME_INVALID_CHARACTERS')
  // In mentions, `Iris|7` refers to the user with id 7.
  if (/\|\d+$/.test(name)) throw new ApiError('NAME_INVALID_FORMAT')
  return name
}

/** Checks a full name by the usual rules, but throws an error that quotes the name. */
export function checkNameForOperator(name: string): string {
  try {
    return checkFullName(name)
  } catch (error) {
    throw new OperatorError(`"${name}" cannot be a full name: ${(error as Error).message}`)
  }
}
