import type { OrganizationId, UserId } from '@oxbow/contract'
import { coherentCache } from '../events/coherent-cache.ts'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import type { LinkifierDefinition } from '../platform/markdown/linkifiers.ts'
import { listLinkifierRows } from './queries.ts'

const getCache = coherentCache<readonly LinkifierDefinition[]>('linkifiers')
const noUser = 0 as UserId
const noLinkifiers: readonly LinkifierDefinition[] = []

/**
 * Returns the organization's linkifiers, nearly always from the cache, because every text needs
 * them.
 */
export async function listCachedLinkifiers(
  app: App,
  organization_id: OrganizationId,
): Promise<readonly LinkifierDefinition[]> {
  const known = await getCache(app).get(`${organization_id}`, async () => {
    const value = await listLinkifiers(app.db, organization_id)
    return { value, organization_id, user_id: noUser }
  })
  return known ?? noLinkifiers
}

export async function listLinkifiers(
  db: Db,
  organization_id: OrganizationId,
): Promise<readonly LinkifierDefinition[]> {
  const rows = await listLinkifierRows(db, organization_id)
  return rows.map(({ pattern, url_format }) => ({ pattern, urlFormat: url_format }))
}
