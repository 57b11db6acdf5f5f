import { InvalidArgumentError } from 'commander'

export type Pairs = Record<string, string>

/** Adds a `name=value` pair of an option that can be repeated. */
export function collectPairs(pair: string, before: Pairs): Pairs {
  const at = pair.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write it as name=value.')
  return { ...before, [pair.slice(0, at)]: pair.slice(at + 1) }
}
