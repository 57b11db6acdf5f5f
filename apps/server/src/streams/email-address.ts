import type { Config } from '../platform/config/settings.ts'
import type { StreamRow } from '../platform/database/tables.ts'

/**
 * Returns the e-mail address whose mail is posted to the stream, or an empty string if the server
 * accepts no mail. The token identifies the stream; its name only makes the address readable.
 */
export function streamEmailAddress(
  { email_gateway_pattern: pattern }: Pick<Config, 'email_gateway_pattern'>,
  { name, email_token }: Pick<StreamRow, 'name' | 'email_token'>,
): string {
  if (!pattern) return ''
  const slug = buildSlug(name)
  return pattern.replace('%s', `${slug && `${slug}.`}${email_token}.show-sender`)
}

/** Returns an ASCII form of the name, or an empty string if the name has none. */
function buildSlug(name: string): string {
  const words = name.replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
  const ascii = words.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')
  const isWhole = ascii.length === words.normalize('NFC').length && /^[\w-]*$/.test(ascii)
  return isWhole ? ascii.toLowerCase() : ''
}
