import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { findOrganization } from './queries.ts'

/** Returns the organization that an operator named, even if it is deactivated. */
export async function getOrganizationAt(app: App, subdomain: string): Promise<OrganizationRow> {
  const organization = await findOrganization(app.db, subdomain)
  if (organization?.deletion_began_at)
    throw new OperatorError(
      `${organization.name} is being deleted. Finish it: oxbow organization delete "${organization.name}"`,
    )
  if (organization) return organization
  throw new OperatorError(
    subdomain === ''
      ? 'There is no organization on the root host. Create one with `oxbow organization create`, or name another with --subdomain.'
      : `There is no organization at the subdomain "${subdomain}". \`oxbow organization list\` shows them.`,
  )
}

/** Returns the name of an organization without spaces around it. Throws if an organization cannot have it. */
export function checkOrganizationName(written: string): string {
  const name = written.trim()
  if (name === '') throw new OperatorError('The organization needs a name.')
  if ([...name].length > 40) throw new OperatorError('The name of an organization has at most 40 characters.')
  return name
}

/**
 * Throws if a new organization cannot have this subdomain. An empty subdomain stands for the root
 * host.
 */
export function refuseMalformedSubdomain(subdomain: string): void {
  if (subdomain === '' || /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(subdomain)) return
  throw new OperatorError(
    `"${subdomain}" cannot be a subdomain: use lowercase letters, digits and hyphens between them.`,
  )
}
