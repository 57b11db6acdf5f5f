import { ApiError } from '@oxbow/contract'
import type { App } from '../../../platform/app.ts'
import { resolveRequest } from '../../../platform/http/host.ts'
import type { Page } from '../../../platform/http/http-server.ts'
import { readQuery } from '../../../platform/http/request-input.ts'
import { referencePolicy } from '../layout.ts'

/**
 * Public pages that list the integrations and explain how to set up each of them. The code that
 * renders them is imported on first use, because most nodes never need it.
 */
export function integrationPages(app: App): Page[] {
  return [
    {
      path: '/integrations',
      name: 'integrations',
      handle: async (request, reply) => {
        const { renderIntegrationList } = await import('./list-page.ts')
        const { listGuides } = await import('./guides.ts')
        const query = String(readQuery(request.raw).get('q') ?? '').slice(0, 100)
        return reply
          .type('text/html')
          .header('content-security-policy', referencePolicy)
          .send(renderIntegrationList(await listGuides(app), query.trim().toWellFormed()))
      },
    },
    {
      path: '/integrations/:name',
      name: 'integrations',
      handle: async (request, reply) => {
        const { guidePolicy, renderGuideFor } = await import('./guide-page.ts')
        const { origin } = resolveRequest(app.config, request)
        const page = await renderGuideFor(app, (request.params as { name: string }).name, origin)
        if (page === undefined) throw new ApiError('NOT_FOUND')
        return reply.type('text/html').header('content-security-policy', guidePolicy).send(page)
      },
    },
  ]
}
