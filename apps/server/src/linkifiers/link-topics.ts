import type { OrganizationId } from '@oxbow/contract'
import { renderTopicLinks } from '@oxbow/markdown'
import type { App } from '../platform/app.ts'
import type { Db } from '../platform/database/database.ts'
import { compileLinkifiers } from '../platform/markdown/linkifiers.ts'
import { listCachedLinkifiers, listLinkifiers } from './cached-linkifiers.ts'

/** Returns the URLs that linkifiers produce for a topic. */
export type LinkTopic = (topic: string) => string[]

/**
 * Returns a function that links topics by the current linkifiers. It evaluates each topic once, as
 * many messages share one. In a transaction `db` it reads the linkifiers from there.
 */
export async function createTopicLinker(
  app: App,
  organization_id: OrganizationId,
  db: Db = app.db,
): Promise<LinkTopic> {
  // A transaction must not wait for a second connection, which a miss of the cache would need.
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
