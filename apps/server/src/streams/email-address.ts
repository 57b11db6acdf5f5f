import type { Config } from '../platform/config/settings.ts'
import type { StreamRow } from '../platform/database/tables.ts'

/** Mail to it is posted to the stream; empty where the server takes no mail. The name in it is only for people. */
export function streamEmailAddress(
  { email_gateway_pattern: pattern }: Pick<Config, 'email_gateway_pattern'>,
  { name, email_token }: Pick<StreamRow, 'name' | 'email_token'>,
): string {
  if (!pattern) return ''
  const slug = slugOf(name)
  return pattern.replace('%s', `${slug && `${slug}.`}${email_token}.show-sender`)
}

/** Empty where the name cannot be written in ASCII. */
function slugOf(name: string): string {
  const words = name.replace(/[^\p{L}\p{M}\p{N}_]+/gu, '-')
  const ascii = words.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')
  const isWhole = ascii.length === words.normalize('NFC').length && /^[\w-]*$/.test(ascii)
  return isWhole ? ascii.toLowerCase() : ''
}
