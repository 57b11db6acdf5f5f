import { type Endpoint, isIdempotent } from '@oxbow/contract'
import { type ClientOptions, type RequestOptions, readResponse, request, TransportError } from './request.ts'

/**
 * Calls an endpoint and returns the fields of its response. A call that changes something is sent
 * with an idempotency key and retried once if the connection breaks, so the change is made once.
 * Other calls are not retried.
 */
export async function call(
  options: ClientOptions,
  endpoint: Endpoint,
  args: object,
  { signal, headers }: RequestOptions = {},
): Promise<object> {
  const key = isIdempotent(endpoint) ? { 'idempotency-key': randomUuid() } : undefined
  const attempt = async () => {
    const response = await request(options, endpoint, args, { signal, headers: { ...key, ...headers } })
    return readResponse(response, signal)
  }
  if (!key) return attempt()
  try {
    return await attempt()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return attempt()
  }
}

/** Whether the connection broke, so that it is unknown whether the request arrived. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof TransportError && error.status === undefined
}

/** Makes a UUID v4 without `crypto.randomUUID`, which browsers offer only over HTTPS. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
