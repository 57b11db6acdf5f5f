import { ApiError, type Domain, type OrganizationId } from '@oxbow/contract'
import { violatedConstraint } from '../../platform/database/constraint.ts'
import type { Db, Tx } from '../../platform/database/database.ts'

export async function insertDomain(
  tx: Tx,
  organization_id: OrganizationId,
  { domain, allow_subdomains }: Domain,
): Promise<number> {
  const { id } = await tx
    .insertInto('organization_domain')
    .values({ organization_id, domain, allow_subdomains })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (violatedConstraint(error) === 'organization_domain_pkey')
        throw new ApiError('DOMAIN_TAKEN', { domain })
      throw error
    })
  return id
}

/** Returns false if the domain is not in the list. */
export async function updateDomain(
  tx: Tx,
  organization_id: OrganizationId,
  { domain, allow_subdomains }: Domain,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('organization_domain')
    .set({ allow_subdomains })
    .where('organization_id', '=', organization_id)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Returns false if the domain is not in the list. */
export async function deleteDomain(
  tx: Tx,
  organization_id: OrganizationId,
  domain: string,
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('organization_domain')
    .where('organization_id', '=', organization_id)
    .where('domain', '=', domain)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function hasDomains(db: Db, organization_id: OrganizationId): Promise<boolean> {
  const found = await db
    .selectFrom('organization_domain')
    .select('id')
    .where('organization_id', '=', organization_id)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
