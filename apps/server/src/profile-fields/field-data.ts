import { ApiError, FieldType, nonBlank, parseOrRefuse, url } from '@oxbow/contract'
import { z } from 'zod'
import { externalAccounts } from './external-accounts.ts'

const choice = z.strictObject({ text: nonBlank(), order: nonBlank() })
const externalAccount = z.strictObject({ subtype: nonBlank(), url_pattern: z.string().optional() })

type Data = Record<string, unknown>

/** Refuses data that do not fit the field's type; types without data ignore them. */
export function checkFieldData(type: number, data: Data): void {
  if (type === FieldType.choice) checkChoices(data)
  if (type === FieldType.externalAccount) checkExternalAccount(data)
}

/** What is kept: nothing for types that have no data. */
export function fieldDataText(type: number, data: Data): string {
  return type === FieldType.choice || type === FieldType.externalAccount ? JSON.stringify(data) : ''
}

/** A known external account brings its own name and hint. */
export function findKnownAccount(type: number, data: Data) {
  const { subtype } = data
  if (type !== FieldType.externalAccount || typeof subtype !== 'string') return undefined
  return Object.hasOwn(externalAccounts, subtype) ? externalAccounts[subtype] : undefined
}

function checkChoices(data: Data): void {
  const choices = Object.entries(data)
  if (choices.length === 0) throw new ApiError('FIELD_WITHOUT_CHOICES')
  for (const [key, value] of choices) {
    if (key.trim() === '') throw new ApiError('BAD_REQUEST', { text: "'value' cannot be blank." })
    parseOrRefuse(choice, value, 'field_data')
  }
}

function checkExternalAccount(data: Data): void {
  const { subtype, url_pattern } = parseOrRefuse(externalAccount, data, 'field_data')
  if (subtype !== 'custom' && !Object.hasOwn(externalAccounts, subtype)) {
    throw new ApiError('FIELD_ACCOUNT_TYPE_INVALID')
  }
  if (subtype === 'custom' && !url_pattern) throw new ApiError('FIELD_PATTERN_MISSING')
  // Clients make links of any pattern they find, also where a known account needs none.
  if (url_pattern === undefined) return
  if (url_pattern.split('%(username)s').length !== 2) throw new ApiError('FIELD_PATTERN_MALFORMED')
  parseOrRefuse(url(), url_pattern.replace('%(username)s', 'username'), 'field_data["url_pattern"]')
}
