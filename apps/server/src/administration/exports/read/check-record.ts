import { maxLinkifiers, urlOfAnyLength } from '@oxbow/contract'
import { compileLinkifier } from '@oxbow/markdown'
import { isEmailAddress } from '../../../identity/accounts/email-address.ts'
import { checkFieldData } from '../../../organization/profile-fields/field-data.ts'
import type { ExportedRecord } from './read-records.ts'
import { recordRefusal } from './refuse.ts'

/**
 * Checks a record whose fields match their schemas. Returns the problem, or undefined if the record
 * is valid.
 */
type Check = (record: ExportedRecord, count: number) => string | undefined

const checks: Readonly<Record<string, Check>> = {
  linkifier({ pattern, url_format }, count) {
    if (count > maxLinkifiers) return 'there are too many'
    return 'errors' in compileLinkifier(pattern as string, url_format as string)
      ? 'it is not valid'
      : undefined
  },
  profile_field({ type, field_data }) {
    try {
      const data = field_data === '' ? {} : JSON.parse(field_data as string)
      checkFieldData(type as number, data, urlOfAnyLength())
      return undefined
    } catch {
      // Invalid data must be refused because clients make links of the URL in it.
      return 'its data are not those of its type'
    }
  },
  user({ email, is_active, erased_at }) {
    if (is_active && erased_at !== null) return 'it is active although it was erased'
    return email === null || isEmailAddress(email as string) ? undefined : 'its address is not valid'
  },
  bot_service({ base_url }) {
    // The server sends requests to it.
    if (base_url === '' || urlOfAnyLength().safeParse(base_url).success) return undefined
    return 'its address is not a URL'
  },
  upload({ content_type }) {
    // The media type is sent as a header.
    return /^[\x20-\x7e]*$/.test(content_type as string) ? undefined : 'its media type is not valid'
  },
}

/**
 * Throws if a record breaks a rule that the API enforces and the server relies on. `count` is the
 * number of records of this type so far.
 */
export function checkRecord(type: string, record: ExportedRecord, count: number): void {
  const problem = Object.hasOwn(checks, type) ? checks[type]?.(record, count) : undefined
  if (problem !== undefined) throw recordRefusal(type, record, problem)
}
