import { ApiError } from '@oxbow/contract'

/** The destination of a message as the sender names it. */
export type Recipient =
  | { kind: 'stream'; stream: string | number }
  | { kind: 'people'; people: readonly string[] | readonly number[] }

/**
 * Parses the `to` of a stream message: a name or an id, or a list with one of them. Undefined where
 * it is absent.
 */
export function parseStream(to: unknown): string | number | undefined {
  if (to === undefined) return undefined
  if (Array.isArray(to) && to.length !== 1) throw new ApiError('ONE_STREAM_EXPECTED')
  const named: unknown = Array.isArray(to) ? to[0] : to
  if (typeof named !== 'string' && !Number.isInteger(named)) throw new ApiError('STREAM_TYPE_INVALID')
  return named as string | number
}

/**
 * Parses the `to` of a private message: addresses separated by commas or in a list, or a list of
 * ids.
 */
export function parsePeople(to: unknown): readonly string[] | readonly number[] {
  const given: unknown = typeof to === 'string' ? to.split(',') : (to ?? [])
  if (!Array.isArray(given)) throw new ApiError('RECIPIENTS_TYPE_INVALID')
  const [first] = given as unknown[]
  if (first === undefined) return []
  if (typeof first === 'string') return requireSameType(given, isText).flatMap((email) => email.trim() || [])
  if (Number.isInteger(first)) return requireSameType(given, (item): item is number => Number.isInteger(item))
  throw new ApiError('RECIPIENTS_TYPE_INVALID')
}

const isText = (item: unknown): item is string => typeof item === 'string'

function requireSameType<Item>(given: unknown[], isExpected: (item: unknown) => item is Item): Item[] {
  if (!given.every(isExpected)) throw new ApiError('RECIPIENTS_MIXED')
  return [...new Set(given)]
}
