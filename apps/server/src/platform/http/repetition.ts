import { ApiError } from '@oxbow/contract'
import type { Repetition } from '../actor.ts'
import type { Secrets } from '../secrets.ts'

/** What makes a call the same call: its endpoint and what it was given. */
export function readRepetition(
  secrets: Secrets,
  header: string | string[] | undefined,
  endpoint: string,
  params: object,
): Repetition | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new ApiError('IDEMPOTENCY_KEY_INVALID')
  }
  // A keyed hash: what was given may hold a password.
  return { key: header, fingerprint: secrets.hash(JSON.stringify([endpoint, params])), isKept: false }
}
