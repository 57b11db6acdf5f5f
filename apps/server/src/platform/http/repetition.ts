import { hash } from 'node:crypto'
import { ApiError, type UploadedFile } from '@oxbow/contract'
import type { Repetition } from '../actor.ts'
import type { Secrets } from '../secrets.ts'

/** What makes a call the same call: its endpoint and what it was given. */
export function readRepetition(
  secrets: Secrets,
  header: string | string[] | undefined,
  endpoint: string,
  params: object & { files?: readonly UploadedFile[] },
): Repetition | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new ApiError('IDEMPOTENCY_KEY_INVALID')
  }
  // A keyed hash: what was given may hold a password.
  return {
    key: header,
    fingerprint: secrets.hash(JSON.stringify([endpoint, withoutBytes(params)])),
    isKept: false,
  }
}

/** Bytes would be megabytes of text; their digest says as much. */
function withoutBytes(params: object & { files?: readonly UploadedFile[] }): object {
  if (!params.files) return params
  const files = params.files.map(({ name, bytes }) => [name, hash('sha256', bytes)])
  return { ...params, files }
}
