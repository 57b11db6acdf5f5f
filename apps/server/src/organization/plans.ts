import { ApiError, type OrganizationId } from '@oxbow/contract'
import type { Db } from '../platform/database/database.ts'
import { getOrganization } from './queries.ts'

export const limitedPlan = 2

export async function refuseOnLimitedPlan(db: Db, id: OrganizationId): Promise<void> {
  const { plan_type } = await getOrganization(db, id)
  if (plan_type === limitedPlan) throw new ApiError('PLAN_TOO_SMALL')
}
