import { z } from 'zod'
import type { RawRequest } from './decode.ts'
import type { Endpoint, Params } from './endpoint.ts'
import type { RawValue } from './params.ts'

/** Fields that any response may have in addition to those of its endpoint. */
export const commonResponseFields = {
  ignored_parameters_unsupported: z.array(z.string()).optional(),
}

export type CommonResponseFields = z.output<z.ZodObject<typeof commonResponseFields>>

/** Parameters that every endpoint accepts. */
const commonParameters = ['client']
/** Limits the names that a response repeats, so that a request cannot make its response large. */
const maxNames = 50
const maxNameLength = 100

const knownNames = new WeakMap<Endpoint, { own: ReadonlySet<string>; withLegacy: ReadonlySet<string> }>()

/**
 * Lists the names of arguments that the endpoint does not have, or returns undefined if there are
 * none. Arguments that repeat a value of the path are not listed, because existing clients send
 * them.
 */
export function listIgnoredParameters(
  declared: Endpoint,
  { path, arguments: requestArguments }: RawRequest,
  { legacyNames = false } = {},
): string[] | undefined {
  const parameterNames = knownNames.get(declared) ?? collectNames(declared)
  const names = legacyNames ? parameterNames.withLegacy : parameterNames.own
  let ignored: string[] | undefined
  for (const [name, value] of requestArguments) {
    if (names.has(name) || repeatsPath(path, value)) continue
    ignored ??= []
    ignored.push(name.slice(0, maxNameLength).toWellFormed())
    if (ignored.length === maxNames) break
  }
  return ignored?.sort()
}

function collectNames(declared: Endpoint) {
  const params = Object.entries(declared.params as Params)
  const ownParameters = new Set([
    ...commonParameters,
    ...(declared.takesKeyInUrl ? ['api_key'] : []),
    ...params.flatMap(([name, { alias }]) => [name, alias ?? name]),
  ])
  const withLegacy = new Set([
    ...ownParameters,
    ...params.map(([name, { legacyAlias }]) => legacyAlias ?? name),
  ])
  const parameterNames = { own: ownParameters, withLegacy }
  knownNames.set(declared, parameterNames)
  return parameterNames
}

function repeatsPath(path: RawRequest['path'], value: RawValue): boolean {
  const plain = typeof value === 'string' ? value : value.parsed
  const text = typeof plain === 'number' ? String(plain) : plain
  for (const name in path) if (path[name] === text) return true
  return false
}
