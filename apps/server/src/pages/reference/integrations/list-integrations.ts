import type { api, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../../platform/actor.ts'
import type { App } from '../../../platform/app.ts'
import { type Guide, listGuides, urlFor } from './guides.ts'
import { renderGuide } from './render-guide.ts'

type List = typeof api.webhooks.listIntegrations

/** Lists the integrations with their guides, sorted by title. */
export async function listIntegrations(app: App, { origin }: Actor): Promise<ResponseOf<List>> {
  const integrations: ResponseOf<List>['integrations'] = []
  // One at a time, because the first call on a node renders all guides.
  for (const guide of await listGuides(app)) integrations.push(await viewIntegration(app, guide, origin))
  return { integrations }
}

async function viewIntegration(app: App, guide: Guide, origin: string) {
  const { name, title, category, summary, usesBasicAuth, eventNames } = guide
  const url = urlFor(guide, origin)
  return {
    name,
    title,
    category,
    summary,
    guide_html: (await renderGuide(app, guide, url)).text,
    auth: usesBasicAuth ? ('basic' as const) : ('url' as const),
    url,
    event_names: [...eventNames],
  }
}
