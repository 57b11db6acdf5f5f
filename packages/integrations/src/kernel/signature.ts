import { createHmac, timingSafeEqual } from 'node:crypto'

export interface Signature {
  readonly header: string
  /** Compares in constant time. */
  isValid(signed: Signed): boolean
}

export interface Signed {
  /** The value of the signature header. */
  signature: string
  secret: string
  body: Buffer
  /** Returns another header of the delivery. Some services send the signed timestamp in a header. */
  header: (name: string) => string | undefined
}

/** Verifies a header that contains the secret itself. */
export function sharedToken(header: string): Signature {
  return { header, isValid: ({ signature, secret }) => isSame(signature, secret) }
}

/**
 * Verifies an HMAC-SHA256 of the body. With a prefix like `sha256=`, the header may contain several
 * signatures, separated by commas.
 */
export function bodyHmac(
  header: string,
  { prefix = '', encoding = 'hex' }: { prefix?: string; encoding?: 'hex' | 'base64' } = {},
): Signature {
  return {
    header,
    isValid({ signature, secret, body }) {
      const expected = prefix + createHmac('sha256', secret).update(body).digest(encoding)
      return signature.split(',').some((candidate) => isSame(candidate.trim(), expected))
    },
  }
}

/**
 * Verifies an HMAC-SHA256 of the body and the time of sending, so that a recorded delivery cannot
 * be replayed later. `read` returns the time, the signed text before the body, and the signatures.
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
    isValid(signed) {
      const { sentAt, before, signatures } = read(signed)
      // NaN, the time of an invalid date, is refused here too.
      if (!(Math.abs(now() - sentAt) <= maxAgeMs)) return false
      const expected = createHmac('sha256', signed.secret).update(before).update(signed.body).digest(encoding)
      return signatures.some((signature) => isSame(signature, expected))
    },
  }
}

export interface TimedSignature {
  /** When the delivery was signed, in milliseconds since 1970. */
  sentAt: number
  /** The part of the signed text before the body. */
  before: string
  signatures: string[]
}

const maxAgeMs = 5 * 60_000

/** Compares in constant time. */
export function isSame(actual: string, expected: string): boolean {
  // Compares digests, so that the time does not reveal the length either.
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(actual), digest(expected))
}
