import { ApiError } from '@oxbow/contract'

const retainForever = -1
/** The largest value of the database column. */
const maxRetentionDays = 2 ** 31 - 1

/**
 * Parses the retention of a stream. Returns a number of days, -1 to keep messages forever, or null
 * to use the organization's setting.
 */
export function parseRetention(value: string | number): number | null {
  if (value === 'realm_default') return null
  if (value === 'forever') return retainForever
  if (typeof value === 'number' && value > 0 && value <= maxRetentionDays) return value
  throw new ApiError('REQUEST_VARIABLE_INVALID', {
    var_name: 'message_retention_days',
    bad_value: String(value),
  })
}
