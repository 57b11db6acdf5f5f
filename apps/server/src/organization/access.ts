import { ApiError } from '@oxbow/contract'
import type { Caller } from '../platform/actor.ts'
import type { Db } from '../platform/database/database.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { findOrganization } from './queries.ts'

/** Loads the organization of the request's host. */
export async function accessOrganizationOfCaller(db: Db, { subdomain }: Caller): Promise<OrganizationRow> {
  const organization = subdomain === null ? undefined : await findOrganization(db, subdomain)
  if (!organization) throw new ApiError('INVALID_SUBDOMAIN')
  return organization
}
