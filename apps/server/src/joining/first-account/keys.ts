import { timingSafeEqual } from 'node:crypto'
import type { OrganizationId } from '@oxbow/contract'
import type { Secrets } from '../../platform/secrets/secrets.ts'

const validSeconds = 7 * 24 * 3_600

/** Returns the URL of the page that creates the first account of an organization, valid for seven days. */
export function makeFirstAccountUrl(
  secrets: Secrets,
  organization_id: OrganizationId,
  origin: string,
): string {
  const expires = Math.floor(Date.now() / 1_000) + validSeconds
  return `${origin}/accounts/first/${expires}-${sign(secrets, organization_id, expires)}`
}

/** Returns whether this server made the key for the organization and the key has not expired. */
export function isFirstAccountKey(secrets: Secrets, organization_id: OrganizationId, key: string): boolean {
  const [, expires = '', signature = ''] = /^(\d{1,12})-([0-9a-f]{64})$/.exec(key) ?? []
  if (Number(expires) * 1_000 < Date.now()) return false
  const expected = sign(secrets, organization_id, Number(expires))
  return (
    signature.length === expected.length && timingSafeEqual(Buffer.from(signature), Buffer.from(expected))
  )
}

/** The key is not stored: the server recognizes it by a signature with its secret. */
const sign = (secrets: Secrets, organization_id: OrganizationId, expires: number): string =>
  secrets.hash(`first account ${organization_id} ${expires}`).toString('hex')
