import { hash } from 'node:crypto'
import type { App } from '../platform/app.ts'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { visibleTo } from './display-email.ts'

export type Pictured = Pick<
  UserRow,
  'organization_id' | 'id' | 'delivery_email' | 'avatar_source' | 'avatar_version'
>

export type AvatarSize = 'small' | 'medium'

export function avatarUrl(app: Pick<App, 'config' | 'secrets'>, user: Pictured, size?: AvatarSize): string {
  if (user.avatar_source === 'external') return externalAvatarUrl(app.config, user, size)
  return `/user_avatars/${user.organization_id}/${avatarName(app, user)}${endings[size ?? 'small']}?v=${user.avatar_version}`
}

/** Clients in the field make the name of the larger one themselves, so the ending is the protocol's. */
const endings: Record<AvatarSize, string> = { small: '.png', medium: '-medium.png' }

/** Found by nobody who was not given it, and the same for all versions: an old URL leads to the picture of today. */
export function avatarName(
  { secrets }: Pick<App, 'secrets'>,
  { organization_id, id }: Pick<UserRow, 'organization_id' | 'id'>,
): string {
  const digest = secrets.hash(`avatar ${organization_id} ${id}`).toString('hex')
  return `${id}-${digest.slice(0, 40)}`
}

/** The picture of whoever uploaded none. */
export function externalAvatarUrl(
  config: Config,
  user: Pick<Pictured, 'delivery_email' | 'avatar_version'>,
  size: AvatarSize = 'small',
): string {
  if (config.avatar_provider_url === 'off')
    return `/static/images/default-avatar.png?v=${user.avatar_version}`
  return providedUrl(config.avatar_provider_url, avatarDigest(user.delivery_email), user.avatar_version, size)
}

/** How the provider knows an address. */
export const avatarDigest = (email: string): string => hash('md5', email.toLowerCase())

export function providedUrl(
  provider: string,
  digest: string,
  version: number,
  size: AvatarSize = 'small',
): string {
  const wish = size === 'medium' ? '&s=500' : ''
  return `${provider}/avatar/${digest}?d=identicon${wish}&v=${version}`
}

/** Whether the picture comes from the provider, which finds it by the address. */
export function isExternal(config: Config, user: Pick<Pictured, 'avatar_source'>): boolean {
  return user.avatar_source === 'external' && config.avatar_provider_url !== 'off'
}

/** A client computes a URL from the real address, so it cannot where addresses are hidden. */
export function mayClientCompute(
  config: Config,
  user: Pick<Pictured, 'avatar_source'> & Pick<OrganizationRow, 'email_address_visibility'>,
): boolean {
  return isExternal(config, user) && user.email_address_visibility === visibleTo.everyone
}
