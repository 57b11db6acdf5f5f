import { ApiError } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import { readQuery } from '../../platform/http/arguments.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { referencePolicy } from '../layout.ts'
import { scriptPolicy } from './fill-url.ts'
import { renderGuidePage } from './guide-page.ts'
import { findGuide, listGuides, urlFor } from './guides.ts'
import { listPage } from './list-page.ts'
import { renderGuide } from './render-guide.ts'

/** Public pages that list the integrations and explain how to set up each of them. */
export function integrationPages(app: App): Page[] {
  return [
    {
      path: '/integrations',
      name: 'integrations',
      handle: async (request, reply) => {
        const query = String(readQuery(request.raw).get('q') ?? '').slice(0, 100)
        return reply
          .type('text/html')
          .header('content-security-policy', referencePolicy)
          .send(listPage(await listGuides(app), query.trim().toWellFormed()))
      },
    },
    {
      path: '/integrations/:name',
      name: 'integrations',
      handle: async (request, reply) => {
        const guide = await findGuide((request.params as { name: string }).name)
        if (!guide) throw new ApiError('NOT_FOUND')
        const { origin } = resolveRequest(app.config, request)
        const url = urlFor(guide, origin)
        const others = (await listGuides(app)).filter(({ category }) => category === guide.category)
        const body = await renderGuide(app, guide, url)
        return reply
          .type('text/html')
          .header('content-security-policy', `${referencePolicy}; ${scriptPolicy}`)
          .send(renderGuidePage(guide, { body, url, others }))
      },
    },
  ]
}
