import type { App } from '../platform/app.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { visibleTo } from './display-email.ts'

export type Pictured = Pick<UserRow, 'organization_id' | 'id' | 'avatar_source' | 'avatar_version'>

export type AvatarSize = 'small' | 'medium'

/** Returns the uploaded picture, or one of our own with the initials. Neither URL tells anything of the address. */
export function avatarUrl(app: Pick<App, 'secrets'>, user: Pictured, size: AvatarSize = 'small'): string {
  const ending = endings[size] + (user.avatar_source === 'external' ? '.svg' : '.png')
  return `/user_avatars/${user.organization_id}/${avatarName(app, user)}${ending}?v=${user.avatar_version}`
}

/** Clients in the field make the name of the larger one themselves, so the ending is the protocol's. */
const endings: Record<AvatarSize, string> = { small: '', medium: '-medium' }

/** Found by nobody who was not given it, and the same for all versions: an old URL leads to the picture of today. */
export function avatarName(
  { secrets }: Pick<App, 'secrets'>,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
): string {
  const digest = secrets.hash(`avatar ${organization_id} ${id}`).toString('hex')
  return `${id}-${digest.slice(0, 40)}`
}

/** The picture of accounts that do not exist, and of the server's own. */
export const stockAvatarUrl = '/static/images/default-avatar.png?v=1'

/** Clients that ask for it compute a picture from the real address, so they cannot where addresses are hidden. */
export function mayClientCompute(
  user: Pick<Pictured, 'avatar_source'> & Pick<OrganizationRow, 'email_address_visibility'>,
): boolean {
  return user.avatar_source === 'external' && user.email_address_visibility === visibleTo.everyone
}
