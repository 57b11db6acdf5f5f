import { InvalidArgumentError } from 'commander'

export type Pairs = Record<string, string>

/** Adds one `name=value` of an option that can be repeated. */
export function collectPairs(given: string, before: Pairs): Pairs {
  const at = given.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write it as name=value.')
  return { ...before, [given.slice(0, at)]: given.slice(at + 1) }
}
