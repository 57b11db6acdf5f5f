import { ApiError, FieldType, nonBlank, parseOrRefuse, url } from '@oxbow/contract'
import { z } from 'zod'

/** Predefined external accounts. Administrators can define others by a URL pattern. */
export const externalAccounts: Record<string, { name: string; hint: string; url_pattern: string }> = {
  twitter: {
    name: 'Twitter',
    hint: 'Your name on Twitter',
    url_pattern: 'https://twitter.com/%(username)s',
  },
  github: {
    name: 'GitHub',
    hint: 'Your name on GitHub',
    url_pattern: 'https://github.com/%(username)s',
  },
}

const choice = z.strictObject({ text: nonBlank(), order: nonBlank() })
const externalAccount = z.strictObject({ subtype: nonBlank(), url_pattern: z.string().optional() })

type FieldData = Record<string, unknown>

/**
 * Throws if the data do not match the field's type, or the URL of an external account does not match
 * `urlSchema`. Ignores the data of types that have none.
 */
export function checkFieldData(type: number, data: FieldData, urlSchema: z.ZodType = url()): void {
  if (type === FieldType.choice) checkChoices(data)
  if (type === FieldType.externalAccount) checkExternalAccount(data, urlSchema)
}

/** Returns the data as stored: empty for types without data. */
export function serializeFieldData(type: number, data: FieldData): string {
  return type === FieldType.choice || type === FieldType.externalAccount ? JSON.stringify(data) : ''
}

/** Returns the predefined external account, which has its own name and hint. */
export function findKnownAccount(type: number, data: FieldData) {
  const { subtype } = data
  if (type !== FieldType.externalAccount || typeof subtype !== 'string') return undefined
  return Object.hasOwn(externalAccounts, subtype) ? externalAccounts[subtype] : undefined
}

function checkChoices(data: FieldData): void {
  const choices = Object.entries(data)
  if (choices.length === 0) throw new ApiError('FIELD_WITHOUT_CHOICES')
  for (const [key, value] of choices) {
    if (key.trim() === '') throw new ApiError('BAD_REQUEST', { text: "'value' cannot be blank." })
    parseOrRefuse(choice, value, 'field_data')
  }
}

function checkExternalAccount(data: FieldData, urlSchema: z.ZodType): void {
  const { subtype, url_pattern } = parseOrRefuse(externalAccount, data, 'field_data')
  if (subtype !== 'custom' && !Object.hasOwn(externalAccounts, subtype)) {
    throw new ApiError('FIELD_ACCOUNT_TYPE_INVALID')
  }
  if (subtype === 'custom' && !url_pattern) throw new ApiError('FIELD_PATTERN_MISSING')
  // A pattern is checked even for a predefined account, which needs none, because clients use every
  // pattern that they get.
  if (url_pattern === undefined) return
  if (url_pattern.split('%(username)s').length !== 2) throw new ApiError('FIELD_PATTERN_MALFORMED')
  parseOrRefuse(urlSchema, url_pattern.replace('%(username)s', 'username'), 'field_data["url_pattern"]')
}
