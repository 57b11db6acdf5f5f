import { hash } from 'node:crypto'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow, UserRow } from '../platform/database/tables.ts'
import { visibleTo } from './display-email.ts'

export type Pictured = Pick<UserRow, 'delivery_email' | 'avatar_source' | 'avatar_version'>

export function avatarUrl(config: Config, user: Pictured, size = ''): string {
  if (config.avatar_provider_url === 'off')
    return `/static/images/default-avatar.png?v=${user.avatar_version}`
  const digest = hash('md5', user.delivery_email.toLowerCase())
  return `${config.avatar_provider_url}/avatar/${digest}?d=identicon${size}&v=${user.avatar_version}`
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
