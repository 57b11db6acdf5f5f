import { coherentCache } from '../events/coherent-cache.ts'
import type { App } from '../platform/app.ts'
import { findShownUser, type ShownUser, type UserKey } from './queries.ts'

const getUserCache = coherentCache<ShownUser>('users')

/** Finds a user in the coherent cache of this node, or in PostgreSQL. */
export async function findCachedUser(
  app: App,
  key: UserKey,
  withProfile: boolean,
): Promise<ShownUser | undefined> {
  return getUserCache(app).find(cacheKey(key, withProfile)) ?? findNewestUser(app, key, withProfile)
}

/** Finds a user in PostgreSQL, and caches it. */
export function findNewestUser(app: App, key: UserKey, withProfile: boolean): Promise<ShownUser | undefined> {
  const { organization_id, id } = key
  return getUserCache(app).refresh(cacheKey(key, withProfile), async () => {
    const value = await findShownUser(app.db, key, withProfile)
    return value && { value, organization_id, user_id: id }
  })
}

const cacheKey = ({ organization_id, id }: UserKey, withProfile: boolean): string =>
  `${organization_id} ${id} ${withProfile}`
