import { hash } from 'node:crypto'
import { ApiError, type Endpoint, type UploadedFile } from '@oxbow/contract'
import type { IdempotencyKey } from '../actor.ts'
import type { Secrets } from '../secrets.ts'

/**
 * Returns the idempotency key of a request, with a fingerprint of its endpoint and parameters; undefined if
 * the request has none.
 */
export function readIdempotencyKey(
  secrets: Secrets,
  header: string | string[] | undefined,
  { name, endpoint }: { name: string; endpoint: Pick<Endpoint, 'ignoredInRetries'> },
  params: object & { files?: readonly UploadedFile[] },
): IdempotencyKey | undefined {
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header)) {
    throw new ApiError('IDEMPOTENCY_KEY_INVALID')
  }
  const omitted = endpoint.ignoredInRetries?.map((parameter) => [parameter, undefined]) ?? []
  const compared = { ...replaceBytesByDigests(params), ...Object.fromEntries(omitted) }
  // The fingerprint is a keyed hash, because the parameters may contain a password.
  return {
    key: header,
    fingerprint: secrets.hash(JSON.stringify([name, compared])),
    isSaved: false,
  }
}

/**
 * Adds the digest of a streamed file to the fingerprint, which was made before the file was
 * received.
 */
export function addToFingerprint(secrets: Secrets, key: IdempotencyKey, digest: string): void {
  key.fingerprint = secrets.hash(`${key.fingerprint.toString('hex')} ${digest}`)
}

/** Replaces file contents by their digests, which are shorter and also identify the contents. */
function replaceBytesByDigests(params: object & { files?: readonly UploadedFile[] }): object {
  if (!params.files) return params
  const files = params.files.map(({ name, bytes }) => [name, hash('sha256', bytes)])
  return { ...params, files }
}
