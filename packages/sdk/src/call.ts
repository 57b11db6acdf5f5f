import { type Endpoint, isIdempotent } from '@oxbow/contract'
import { type ClientOptions, type RequestOptions, readAnswer, request, TransportError } from './request.ts'

/**
 * A call that changes something has a key, by which the server knows it again. So where the connection breaks and
 * nobody knows what became of it, it is made once more and still happens once. Other calls are left to the caller.
 */
export async function call(
  options: ClientOptions,
  endpoint: Endpoint,
  given: object,
  { signal, headers }: RequestOptions = {},
): Promise<object> {
  const key = isIdempotent(endpoint) ? { 'idempotency-key': randomUuid() } : undefined
  const attempt = async () => {
    const response = await request(options, endpoint, given, { signal, headers: { ...key, ...headers } })
    return readAnswer(response, signal)
  }
  if (!key) return attempt()
  try {
    return await attempt()
  } catch (error) {
    if (!isBroken(error)) throw error
    return attempt()
  }
}

/** Nobody knows whether the call arrived. */
function isBroken(error: unknown): boolean {
  return error instanceof TransportError && error.status === undefined
}

/** `crypto.randomUUID` is missing on pages that did not come over HTTPS. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
