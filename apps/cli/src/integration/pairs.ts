import { InvalidArgumentError } from 'commander'

export type Pairs = Record<string, string>

/** `name=value`, each time the option is given. */
export function collectPairs(given: string, before: Pairs): Pairs {
  const at = given.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It is written as name=value.')
  return { ...before, [given.slice(0, at)]: given.slice(at + 1) }
}
