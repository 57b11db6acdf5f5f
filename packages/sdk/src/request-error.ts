import type { ErrorName } from '@oxbow/contract'

/**
 * An error that the server answered. Unlike `ApiError` it needs no table of all errors, which would
 * be a large part of a bundle.
 */
export class RequestError extends Error {
  /** The HTTP status; 0 if the error came in an event stream, which has none. */
  readonly status: number
  /** The code of the protocol. Most errors share `BAD_REQUEST`. */
  readonly code: string
  /** The name of the error in the contract, which the server sends to sessions; otherwise the code. */
  override readonly name: ErrorName | (string & {})
  /** The text of the server, in English. */
  readonly msg: string
  /** The whole response, with the fields of this error. */
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
