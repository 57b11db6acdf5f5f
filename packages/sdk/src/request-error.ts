import type { ErrorName } from '@oxbow/contract'

/**
 * An error response of the server. Unlike `ApiError`, it does not need the table of all errors,
 * which would be a large part of a bundle.
 */
export class RequestError extends Error {
  /** The HTTP status, or 0 for an error in an event stream, which has none. */
  readonly status: number
  /** The protocol's error code. Most errors have the code `BAD_REQUEST`. */
  readonly code: string
  /**
   * The name of the error in the contract, which the server sends to sessions. Otherwise the same
   * as `code`.
   */
  override readonly name: ErrorName | (string & {})
  /** The server's text, in English. */
  readonly msg: string
  /** The whole response body, with the error's fields. */
  readonly body: Readonly<Record<string, unknown>>

  constructor(body: Readonly<Record<string, unknown>>, status = 0) {
    const msg = String(body.msg)
    super(msg)
    this.status = status
    this.code = String(body.code)
    this.name = typeof body.name === 'string' ? body.name : this.code
    this.msg = msg
    this.body = body
  }
}

export const toRequestError = (body: Record<string, unknown>, status?: number): RequestError =>
  new RequestError(body, status)
