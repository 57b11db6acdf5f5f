import {
  type DeletionCounts,
  type DeletionOptions,
  deleteOrganization,
} from '../administration/organization-deletion/delete-organization.ts'
import { fileFolders } from '../features.ts'
import { listOrganizations } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { OperatorError } from '../platform/operator-error.ts'

/**
 * Returns the organization with this name, even if its deletion has begun. If several have the
 * name, the subdomain selects one.
 */
export async function getOrganizationToDelete(
  { db }: App,
  name: string,
  subdomain?: string,
): Promise<OrganizationRow> {
  const named = (await listOrganizations(db)).filter((organization) => organization.name === name)
  const found = subdomain === undefined ? named : named.filter((each) => each.subdomain === subdomain)
  const [organization, ...others] = found
  if (!organization)
    throw new OperatorError(
      `There is no organization "${name}"${subdomain ? ` at the subdomain "${subdomain}"` : ''}. \`oxbow organization list\` shows them.`,
    )
  if (others.length > 0)
    throw new OperatorError(
      `Several organizations are named "${name}". Choose one by --subdomain: ${found.map((each) => `"${each.subdomain}"`).join(', ')}.`,
    )
  return organization
}

/** Deletes an organization permanently, or continues an interrupted deletion. */
export function deleteOrganizationByOperator(
  app: App,
  organization: OrganizationRow,
  onProgress: DeletionOptions['onProgress'],
): Promise<DeletionCounts> {
  return deleteOrganization(app, organization, { folders: fileFolders, onProgress })
}
