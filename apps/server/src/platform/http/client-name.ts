import type { RawValue } from '@oxbow/contract'
import type { Config } from '../config/settings.ts'

const longest = 30

/** Programs, by the first word of their User-Agent; the same few come with every request. */
const names = new Map<string, string>()

function nameIn(userAgent = ''): string {
  const known = names.get(userAgent)
  if (known !== undefined) return known
  const name = userAgent.match(/^[^/\s]+/)?.[0] ?? 'Unspecified'
  const short = name.length <= longest ? name : [...name].slice(0, longest).join('')
  if (names.size >= 1_000) names.clear()
  if (userAgent.length < 300) names.set(userAgent, short)
  return short
}

/** The program that calls: by the `client` parameter, else by what stands first in its User-Agent. */
export function clientName(given: RawValue | undefined, userAgent: string | undefined): string {
  if (typeof given !== 'string' || given === '') return nameIn(userAgent)
  // Only a name from a parameter can hold a NUL.
  return [...given.replaceAll('\0', '')].slice(0, longest).join('')
}

/** Programs of the older product name it in their User-Agent, like `ZulipPython/0.9.1`. */
export function knowsLegacyNames(config: Config, userAgent: string | undefined): boolean {
  const setting = config['compat.legacy_names']
  return setting === 'always' || (setting === 'auto' && /^zulip/i.test(userAgent ?? ''))
}
