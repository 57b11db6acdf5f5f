import { hash } from 'node:crypto'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { html } from '../platform/http/html.ts'

export function organizationIcon(config: Config, organization: OrganizationRow): string {
  if (config.avatar_provider_url === 'off') return '/static/images/default-icon.png'
  const digest = hash('md5', organization.subdomain || organization.name)
  return `${config.avatar_provider_url}/avatar/${digest}?d=identicon`
}

const stockDescription = 'This organization has not described itself yet.'

/** HTML. */
export function organizationDescription(organization: OrganizationRow): string {
  return html`<p>${organization.description || stockDescription}</p>`.text
}
