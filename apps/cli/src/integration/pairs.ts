import { InvalidArgumentError } from 'commander'

export type Pairs = Record<string, string>

/** Adds a `name=value` argument of a repeatable option to the pairs collected so far. */
export function collectPairs(pair: string, collected: Pairs): Pairs {
  const at = pair.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('Write it as name=value.')
  return { ...collected, [pair.slice(0, at)]: pair.slice(at + 1) }
}
