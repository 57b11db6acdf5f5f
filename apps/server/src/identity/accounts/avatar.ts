import type { App } from '../../platform/app.ts'
import type { OrganizationRow, UserRow } from '../../platform/database/tables.ts'
import { emailVisibility } from './display-email.ts'

export type AvatarOwner = Pick<UserRow, 'organization_id' | 'id' | 'avatar_source' | 'avatar_version'>

export type AvatarSize = 'small' | 'medium'

/**
 * Returns the URL of the uploaded picture, or of a generated one with the user's initials. The URL
 * never reveals the user's e-mail address.
 */
export function avatarUrl(app: Pick<App, 'secrets'>, user: AvatarOwner, size: AvatarSize = 'small'): string {
  const ending = sizeSuffixes[size] + (user.avatar_source === 'external' ? '.svg' : '.png')
  return `/user_avatars/${user.organization_id}/${avatarName(app, user)}${ending}?v=${user.avatar_version}`
}

/**
 * Suffixes of file names. They are part of the protocol: clients build the URL of the larger
 * picture themselves.
 */
const sizeSuffixes: Record<AvatarSize, string> = { small: '', medium: '-medium' }

/**
 * Returns an unguessable file name. It is the same for all versions of an avatar, so that an old
 * URL shows the current picture.
 */
export function avatarName(
  { secrets }: Pick<App, 'secrets'>,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
): string {
  const digest = secrets.hash(`avatar ${organization_id} ${id}`).toString('hex')
  return `${id}-${digest.slice(0, 40)}`
}

/** The picture of system accounts and of accounts that do not exist. */
export const defaultAvatarUrl = '/static/images/default-avatar.png?v=1'

/**
 * Returns whether clients can compute the avatar's URL from the user's real address. They cannot if
 * addresses are hidden.
 */
export function canClientComputeAvatar(
  user: Pick<AvatarOwner, 'avatar_source'> & Pick<OrganizationRow, 'email_address_visibility'>,
): boolean {
  return user.avatar_source === 'external' && user.email_address_visibility === emailVisibility.everyone
}
