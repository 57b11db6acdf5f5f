import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Signature {
  readonly header: string
  /** In constant time. */
  isRight(signed: Signed): boolean
}

export interface Signed {
  /** What the header says. */
  given: string
  secret: string
  body: Buffer
  /** Other headers of the delivery: some services sign the time that they tell in one. */
  header: (name: string) => string | undefined
}

/** The service sends the secret itself. */
export function sharedToken(header: string): Signature {
  return { header, isRight: ({ given, secret }) => isSame(given, secret) }
}

/** HMAC-SHA256 of the body. With a prefix like `sha256=` it may be one of several, separated by commas. */
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
 * HMAC-SHA256 of the body and of when it was sent, so that who once overheard a delivery cannot send it again later.
 * `read`: what the service signed, and the signatures that it gives.
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
      // Also for what is no date.
      if (!(Math.abs(now() - sentAt) <= longestAgo)) return false
      const right = createHmac('sha256', signed.secret).update(before).update(signed.body).digest(encoding)
      return given.some((each) => isSame(each, right))
    },
  }
}

export interface TimedSignature {
  /** In milliseconds. */
  sentAt: number
  /** What is signed before the body. */
  before: string
  given: string[]
}

const longestAgo = 5 * 60_000

export function isSame(given: string, right: string): boolean {
  // Of digests, so that the comparison does not tell the length either.
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}
