import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { findOrganization } from './queries.ts'

/** Returns the organization that an operator named, also a deactivated one. */
export async function getOrganizationAt(app: App, subdomain: string): Promise<OrganizationRow> {
  const organization = await findOrganization(app.db, subdomain)
  if (organization) return organization
  throw new OperatorError(
    subdomain === ''
      ? 'There is no organization on the root host. Create one with `oxbow organization create`, or name another with --subdomain.'
      : `There is no organization at the subdomain "${subdomain}". \`oxbow organization list\` shows them.`,
  )
}
