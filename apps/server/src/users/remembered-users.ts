import type { OrganizationId, UserId } from '@oxbow/contract'
import { coherentCache } from '../events/coherent-cache.ts'
import type { App } from '../platform/app.ts'
import { findShownUser, type ShownUser } from './queries.ts'

const usersOf = coherentCache<ShownUser>()

export interface UserPlace {
  organization_id: OrganizationId
  id: UserId
}

/** A user as others see them: from memory while it is known to be up to date, else from PostgreSQL. */
export async function rememberUser(
  app: App,
  place: UserPlace,
  withProfile: boolean,
): Promise<ShownUser | undefined> {
  const { organization_id, id } = place
  return usersOf(app).get(`${organization_id} ${id} ${withProfile}`, async () => {
    const value = await findShownUser(app.db, place, withProfile)
    return value && { value, organization_id, user_id: id }
  })
}
