import type { OrganizationId, UserId } from '@oxbow/contract'
import { renderTopicLinks } from '@oxbow/markdown'
import { coherentCache } from '../../events/coherent-cache.ts'
import type { App } from '../../platform/app.ts'
import type { Db } from '../../platform/database/database.ts'
import { compileLinkifiers, type LinkifierDefinition } from '../../platform/markdown/markdown.ts'
import { listLinkifierRows } from './queries.ts'

const getCache = coherentCache<readonly LinkifierDefinition[]>('linkifiers')
const noUser = 0 as UserId
const noLinkifiers: readonly LinkifierDefinition[] = []

/**
 * Returns the organization's linkifiers, nearly always from the cache, because every rendered text
 * needs them.
 */
export async function listCachedLinkifiers(
  app: App,
  organization_id: OrganizationId,
): Promise<readonly LinkifierDefinition[]> {
  const linkifiers = await getCache(app).get(`${organization_id}`, async () => {
    const value = await listLinkifiers(app.db, organization_id)
    return { value, organization_id, user_id: noUser }
  })
  return linkifiers ?? noLinkifiers
}

async function listLinkifiers(
  db: Db,
  organization_id: OrganizationId,
): Promise<readonly LinkifierDefinition[]> {
  const rows = await listLinkifierRows(db, organization_id)
  return rows.map(({ pattern, url_format }) => ({ pattern, urlFormat: url_format }))
}

/** Returns the URLs that linkifiers produce for a topic. */
export type LinkTopic = (topic: string) => string[]

/**
 * Returns a function that returns the links of a topic. It evaluates each topic only once, because
 * many messages have the same topic. If `db` is a transaction, the linkifiers are read in it.
 */
export async function createTopicLinker(
  app: App,
  organization_id: OrganizationId,
  db: Db = app.db,
): Promise<LinkTopic> {
  // A cache miss would need a second connection, and a transaction must not wait for one.
  const definitions = db.isTransaction
    ? await listLinkifiers(db, organization_id)
    : await listCachedLinkifiers(app, organization_id)
  const linkifiers = compileLinkifiers(definitions)
  const known = new Map<string, string[]>()
  return (topic) => {
    const links = known.get(topic) ?? renderTopicLinks(topic, linkifiers)
    known.set(topic, links)
    return links
  }
}
