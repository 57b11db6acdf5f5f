import { z } from 'zod'
import type { RawRequest } from './decode.ts'
import type { Endpoint, Params } from './endpoint.ts'
import type { RawValue } from './params.ts'

/** Fields that any answer may have beside those of its endpoint. */
export const everyAnswer = {
  ignored_parameters_unsupported: z.array(z.string()).optional(),
}

export type EveryAnswer = z.output<z.ZodObject<typeof everyAnswer>>

/** Read of every request, whatever its endpoint. */
const readEverywhere = ['client']
/** The answer repeats what the request said, so it must not become much longer than any real request needs. */
const maxNames = 50
const maxNameLength = 100

const knownNames = new WeakMap<Endpoint, { own: ReadonlySet<string>; withLegacy: ReadonlySet<string> }>()

/**
 * Lists the arguments that the endpoint does not know, by name; undefined where there are none. Clients in the field
 * repeat values of the path as parameters, at times under another name: those are not listed.
 */
export function listIgnoredParameters(
  declared: Endpoint,
  { path, arguments: given }: RawRequest,
  { legacyNames = false } = {},
): string[] | undefined {
  const known = knownNames.get(declared) ?? collectNames(declared)
  const names = legacyNames ? known.withLegacy : known.own
  let ignored: string[] | undefined
  for (const [name, value] of given) {
    if (names.has(name) || repeatsPath(path, value)) continue
    ignored ??= []
    ignored.push(name.slice(0, maxNameLength).toWellFormed())
    if (ignored.length === maxNames) break
  }
  return ignored?.sort()
}

function collectNames(declared: Endpoint) {
  const params = Object.entries(declared.params as Params)
  const own = new Set([...readEverywhere, ...params.flatMap(([name, { alias }]) => [name, alias ?? name])])
  const withLegacy = new Set([...own, ...params.map(([name, { legacyAlias }]) => legacyAlias ?? name)])
  const known = { own, withLegacy }
  knownNames.set(declared, known)
  return known
}

function repeatsPath(path: RawRequest['path'], value: RawValue): boolean {
  const plain = typeof value === 'string' ? value : value.parsed
  const text = typeof plain === 'number' ? String(plain) : plain
  for (const name in path) if (path[name] === text) return true
  return false
}
