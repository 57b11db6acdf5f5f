import type { WireEndpoint } from '@oxbow/contract/plain'
import { type Caller, type RequestOptions, readResponse, request, TransportError } from './request.ts'

export interface CallOptions extends Pick<RequestOptions, 'signal' | 'keepalive' | 'onProgress'> {
  /**
   * Identifies a call that changes data; random by default. Another call with the same key and
   * arguments within a day changes nothing and gets the response of the first.
   */
  idempotencyKey?: string
}

/**
 * Calls an endpoint and returns the fields of its response. A call that changes data is sent with
 * an idempotency key, so that it can be retried once if the connection breaks without changing data
 * twice. Other calls are not retried.
 */
export async function call(
  caller: Caller,
  endpoint: WireEndpoint,
  args: object,
  { signal, keepalive, onProgress, idempotencyKey = randomUuid() }: CallOptions = {},
): Promise<object> {
  const headers = endpoint.isIdempotent ? { 'idempotency-key': idempotencyKey } : {}
  const attempt = async () => {
    const response = await request(caller, endpoint, args, { signal, headers, keepalive, onProgress })
    return readResponse(caller, response, signal)
  }
  if (!endpoint.isIdempotent) return attempt()
  try {
    return await attempt()
  } catch (error) {
    if (!isConnectionLost(error)) throw error
    return attempt()
  }
}

/** Returns whether the connection broke, so that it is unknown whether the request arrived. */
function isConnectionLost(error: unknown): boolean {
  return error instanceof TransportError && error.status === undefined
}

/** Creates a UUID v4 without `crypto.randomUUID`, which browsers offer only over HTTPS. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
