import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Signature {
  readonly header: string
  /** Compares in constant time. */
  isRight(signed: Signed): boolean
}

export interface Signed {
  /** The value of the signature header. */
  given: string
  secret: string
  body: Buffer
  /** Other headers of the delivery. Some services sign a timestamp that they send in one. */
  header: (name: string) => string | undefined
}

/** Verifies a header that contains the secret itself. */
export function sharedToken(header: string): Signature {
  return { header, isRight: ({ given, secret }) => isSame(given, secret) }
}

/** Verifies an HMAC-SHA256 of the body. With a prefix like `sha256=`, it may be one of several, separated by commas. */
export function bodyHmac(
  header: string,
  { prefix = '', encoding = 'hex' }: { prefix?: string; encoding?: 'hex' | 'base64' } = {},
): Signature {
  return {
    header,
    isRight({ given, secret, body }) {
      const right = prefix + createHmac('sha256', secret).update(body).digest(encoding)
      return given.split(',').some((each) => isSame(each.trim(), right))
    },
  }
}

/**
 * Verifies an HMAC-SHA256 of the body and the time of sending, so that a recorded delivery cannot be replayed later.
 * `read` returns what the service signed, and its signatures.
 */
export function timedHmac(
  header: string,
  {
    read,
    encoding = 'hex',
    now = Date.now,
  }: { read: (signed: Signed) => TimedSignature; encoding?: 'hex' | 'base64'; now?: () => number },
): Signature {
  return {
    header,
    isRight(signed) {
      const { sentAt, before, given } = read(signed)
      // NaN, from an invalid date, is refused here too.
      if (!(Math.abs(now() - sentAt) <= longestAgo)) return false
      const right = createHmac('sha256', signed.secret).update(before).update(signed.body).digest(encoding)
      return given.some((each) => isSame(each, right))
    },
  }
}

export interface TimedSignature {
  /** When the delivery was signed, in milliseconds since 1970. */
  sentAt: number
  /** The signed text before the body. */
  before: string
  given: string[]
}

const longestAgo = 5 * 60_000

export function isSame(given: string, right: string): boolean {
  // Digests are compared, so that the time does not reveal the length either.
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}
