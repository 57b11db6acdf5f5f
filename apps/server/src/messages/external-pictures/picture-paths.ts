import { timingSafeEqual } from 'node:crypto'
import { ApiError, type OrganizationId } from '@oxbow/contract'
import type { Secrets } from '../../platform/secrets/secrets.ts'

export const picturePath = '/external_content'

/**
 * Returns the path at which this server shows a picture of another host. The signature prevents
 * outsiders from making the node fetch URLs of their choice.
 */
export function signPicture(secrets: Secrets, organization_id: OrganizationId, url: string): string {
  return `${picturePath}/${sign(secrets, organization_id, url)}/${Buffer.from(url).toString('hex')}`
}

/**
 * Returns the URL in a signed path; `rest` is the part after `picturePath`. Throws if this
 * organization did not sign it.
 */
export function readSignedPicture(secrets: Secrets, organization_id: OrganizationId, rest: string): string {
  const [signature = '', encoded = '', ...more] = rest.split('/')
  const url = Buffer.from(encoded, 'hex').toString()
  const expected = Buffer.from(sign(secrets, organization_id, url))
  const signatureBytes = Buffer.from(signature)
  // Each picture has exactly one valid path, so the URL must be encoded as `signPicture` does it.
  const isOwn = more.length === 0 && Buffer.from(url).toString('hex') === encoded
  if (!isOwn || signatureBytes.length !== expected.length || !timingSafeEqual(signatureBytes, expected))
    throw new ApiError('TEMPORARY_LINK_INVALID')
  return url
}

/** The prefix prevents other hashes of this server from being used as signatures. */
function sign(secrets: Secrets, organization_id: OrganizationId, url: string): string {
  return secrets.hash(`external picture ${organization_id} ${url}`).toString('hex').slice(0, 40)
}
