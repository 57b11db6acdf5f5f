import { getOrganizationAt } from '../../organization/get-organization-at.ts'
import { updateOrganization } from '../../organization/queries.ts'
import type { App } from '../../platform/app.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { OperatorError } from '../../platform/operator-error.ts'

/**
 * Reactivates an organization on behalf of the operator, because no user of the organization can
 * sign in. Takes effect at once, because nodes do not cache refusals.
 */
export async function reactivateOrganization(app: App, subdomain: string): Promise<string> {
  const organization = await getOrganizationAt(app, subdomain)
  if (!organization.deactivated_at) throw new OperatorError(`${organization.name} is active already.`)
  await inTransaction(app.db, (tx) => updateOrganization(tx, organization.id, { deactivated_at: null }))
  return organization.name
}
