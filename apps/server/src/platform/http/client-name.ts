import type { RawValue } from '@oxbow/contract'
import type { Config } from '../config/settings.ts'

const longest = 30

/** The program that calls: by the `client` parameter, else by what stands first in its User-Agent. */
export function clientName(given: RawValue | undefined, userAgent: string | undefined): string {
  const name =
    typeof given === 'string' && given !== '' ? given : (userAgent?.match(/^[^/\s]+/)?.[0] ?? 'Unspecified')
  // Only a name from a parameter can hold a NUL.
  return name.length <= longest && !given ? name : [...name.replaceAll('\0', '')].slice(0, longest).join('')
}

/** Programs of the older product name it in their User-Agent, like `ZulipPython/0.9.1`. */
export function knowsLegacyNames(config: Config, userAgent: string | undefined): boolean {
  const setting = config['compat.legacy_names']
  return setting === 'always' || (setting === 'auto' && /^zulip/i.test(userAgent ?? ''))
}
