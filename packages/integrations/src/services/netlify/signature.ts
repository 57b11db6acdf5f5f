import { createHash, createHmac } from 'node:crypto'
import { z } from 'zod'
import { isSame, type Signature } from '../../writing.ts'

const claims = z.object({ iss: z.literal('netlify'), sha256: z.string() })

/** Verifies a JSON web token (HS256) that contains the digest of the body. */
export const signature: Signature = {
  header: 'X-Webhook-Signature',
  isValid({ signature, secret, body }) {
    const [head = '', payload = '', signed = '', ...more] = signature.trim().split('.')
    // The header of the token is not read, so that the algorithm `none` cannot be chosen.
    const right = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
    if (more.length > 0 || !isSame(signed, right)) return false
    const claimed = claims.safeParse(parse(payload)).data
    return claimed !== undefined && isSame(claimed.sha256, createHash('sha256').update(body).digest('hex'))
  },
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString())
  } catch {
    return undefined
  }
}
