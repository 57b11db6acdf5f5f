import type { OrganizationId } from '@oxbow/contract'
import { renderTopicLinks } from '@oxbow/markdown'
import type { App } from '../platform/app.ts'
import { compileLinkifiers } from '../platform/markdown/linkifiers.ts'
import { listCachedLinkifiers } from './cached-linkifiers.ts'

/** Returns the URLs that linkifiers produce for a topic. */
export type LinkTopic = (topic: string) => string[]

/**
 * Returns a function that links topics by the current linkifiers. It evaluates each topic once, as
 * many messages share one.
 */
export async function createTopicLinker(app: App, organization_id: OrganizationId): Promise<LinkTopic> {
  const linkifiers = compileLinkifiers(await listCachedLinkifiers(app, organization_id))
  const known = new Map<string, string[]>()
  return (topic) => {
    const links = known.get(topic) ?? renderTopicLinks(topic, linkifiers)
    known.set(topic, links)
    return links
  }
}
