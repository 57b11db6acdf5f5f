import { ApiError } from '@oxbow/contract'

const forEver = -1
/** Far longer than anyone will wait, and it fits the column. */
const longest = 2 ** 31 - 1

/** What stands in the database: null for what the organization has, -1 for ever, or days. */
export function readRetention(given: string | number): number | null {
  if (given === 'realm_default') return null
  if (given === 'forever') return forEver
  if (typeof given === 'number' && given > 0 && given <= longest) return given
  throw new ApiError('REQUEST_VARIABLE_INVALID', {
    var_name: 'message_retention_days',
    bad_value: String(given),
  })
}
