import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../secrets/secrets.ts'

type Hash = Pick<Secrets, 'hash'>

/** Clocks of two machines may differ, and a token sent to a wrong server should expire soon. */
const lifetimeMs = 3_600_000

/** The header by which `oxbow doctor` proves that it knows the server's secret. */
export const tokenHeader = 'x-oxbow-doctor'

export function makeRequestToken(secrets: Hash, time = Date.now()): string {
  return `${time}.${secrets.hash(`doctor ${time}`).toString('base64url')}`
}

/** Whether the token was made with the same secret within the last hour. */
export function isRequestToken(secrets: Hash, token: unknown): boolean {
  if (typeof token !== 'string' || !/^[1-9]\d{0,14}\.[\w-]{43}$/.test(token)) return false
  const time = Number(token.split('.')[0])
  if (Math.abs(Date.now() - time) > lifetimeMs) return false
  return timingSafeEqual(Buffer.from(token), Buffer.from(makeRequestToken(secrets, time)))
}
