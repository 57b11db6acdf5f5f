import { getOrganizationAt } from '../organization/get-organization-at.ts'
import { updateOrganization } from '../organization/queries.ts'
import type { App } from '../platform/app.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { OperatorError } from '../platform/operator-error.ts'

/**
 * Reactivates an organization on behalf of the operator, as nobody in the organization can sign in.
 * Nodes do not cache refusals, so it takes effect at once.
 */
export async function reactivateOrganization(app: App, subdomain: string): Promise<string> {
  const organization = await getOrganizationAt(app, subdomain)
  if (!organization.deactivated_at) throw new OperatorError(`${organization.name} is active already.`)
  await inTransaction(app.db, (tx) => updateOrganization(tx, organization.id, { deactivated_at: null }))
  return organization.name
}
