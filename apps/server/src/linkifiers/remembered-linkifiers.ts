import type { OrganizationId, UserId } from '@oxbow/contract'
import { coherentCache } from '../events/coherent-cache.ts'
import type { App } from '../platform/app.ts'
import type { LinkifierDefinition } from '../platform/markdown/linkifiers.ts'
import { listLinkifierRows } from './queries.ts'

const cacheOf = coherentCache<readonly LinkifierDefinition[]>()
const nobody = 0 as UserId
const none: readonly LinkifierDefinition[] = []

/** Those of an organization. Every text asks for them, and nearly always memory answers. */
export async function listRememberedLinkifiers(
  app: App,
  organization_id: OrganizationId,
): Promise<readonly LinkifierDefinition[]> {
  const known = await cacheOf(app).get(`${organization_id}`, async () => {
    const rows = await listLinkifierRows(app.db, organization_id)
    const value = rows.map(({ pattern, url_format }) => ({ pattern, urlFormat: url_format }))
    return { value, organization_id, user_id: nobody }
  })
  return known ?? none
}
