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

export function isSame(given: string, right: string): boolean {
  // Of digests, so that the comparison does not tell the length either.
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(given), digest(right))
}
