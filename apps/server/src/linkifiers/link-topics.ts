import type { OrganizationId } from '@oxbow/contract'
import { renderTopicLinks } from '@oxbow/markdown'
import type { App } from '../platform/app.ts'
import { compileLinkifiers } from '../platform/markdown/linkifiers.ts'
import { listRememberedLinkifiers } from './remembered-linkifiers.ts'

/** Where a topic leads. */
export type LinkTopic = (topic: string) => string[]

/** By the linkifiers of now; many messages have one topic, and each is looked at once. */
export async function topicLinker(app: App, organization_id: OrganizationId): Promise<LinkTopic> {
  const linkifiers = compileLinkifiers(await listRememberedLinkifiers(app, organization_id))
  const known = new Map<string, string[]>()
  return (topic) => {
    const links = known.get(topic) ?? renderTopicLinks(topic, linkifiers)
    known.set(topic, links)
    return links
  }
}
