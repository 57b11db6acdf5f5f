export type OutwardRefusalReason =
  | 'bad url'
  | 'port refused'
  | 'address refused'
  | 'unreachable'
  | 'bad response'
  | 'too large'
  | 'too slow'
  | 'too many redirects'
  | 'busy'
  | 'aborted'

/** Thrown in place of a response to an outward request. */
export class OutwardRefusal extends Error {
  readonly reason: OutwardRefusalReason

  constructor(reason: OutwardRefusalReason, cause?: unknown) {
    super(`an outward request was given up: ${reason}`, { cause })
    this.name = 'OutwardRefusal'
    this.reason = reason
  }
}
