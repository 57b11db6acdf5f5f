import { timingSafeEqual } from 'node:crypto'
import { ApiError, type OrganizationId, type UploadId, type UserId } from '@oxbow/contract'
import type { UploadRow } from '../../platform/database/tables.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { nameInPath } from './names.ts'

/** Seconds for which a temporary link works. */
export const linkSeconds = 60

/** Permission to read one file for as long as this account may read it. */
export interface Grant {
  organization_id: OrganizationId
  user_id: UserId
  upload_id: UploadId
}

/** Returns the path of a temporary link. */
export function makeTemporaryLink(
  secrets: Secrets,
  { organization_id, user_id }: Pick<Grant, 'organization_id' | 'user_id'>,
  { id, path_id }: Pick<UploadRow, 'id' | 'path_id'>,
  now = Date.now(),
): string {
  const expires = Math.floor(now / 1_000) + linkSeconds
  const text = [organization_id, user_id, id, expires].map((number) => number.toString(36)).join('-')
  return `/user_uploads/temporary/${text}.${sign(secrets, text)}/${encodeURIComponent(nameInPath(path_id))}`
}

/**
 * Returns the grant of a token. Throws if this server did not issue the token or the token has
 * expired.
 */
export function readTemporaryToken(secrets: Secrets, token: string, now = Date.now()): Grant {
  const [text = '', signature = ''] = token.split('.')
  const expected = Buffer.from(sign(secrets, text))
  const signatureBytes = Buffer.from(signature)
  const isSigned = signatureBytes.length === expected.length && timingSafeEqual(signatureBytes, expected)
  const [organization_id, user_id, upload_id, expires = 0] = text.split('-').map((part) => parseInt(part, 36))
  if (!isSigned || now / 1_000 >= expires) throw new ApiError('TEMPORARY_LINK_INVALID')
  return { organization_id, user_id, upload_id } as Grant
}

/** The prefix prevents other hashes of this server from being used as signatures. */
function sign(secrets: Secrets, text: string): string {
  return secrets.hash(`temporary link ${text}`).toString('base64url')
}
