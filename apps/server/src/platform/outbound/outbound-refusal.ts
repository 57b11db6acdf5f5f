export type OutboundRefusalReason =
  | 'bad url'
  | 'port refused'
  | 'address refused'
  | 'unknown host'
  | 'unreachable'
  | 'no secure connection'
  | 'bad response'
  | 'too large'
  | 'too slow'
  | 'too many redirects'
  | 'busy'
  | 'aborted'

/** Thrown in place of a response to an outbound request. */
export class OutboundRefusal extends Error {
  readonly reason: OutboundRefusalReason

  constructor(reason: OutboundRefusalReason, cause?: unknown) {
    super(`an outbound request was given up: ${reason}`, { cause })
    this.name = 'OutboundRefusal'
    this.reason = reason
  }
}
