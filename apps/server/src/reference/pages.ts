import { openApiDocument } from '@oxbow/contract/openapi'
import type { App } from '../platform/app.ts'
import { resolveRequest } from '../platform/http/host.ts'
import type { Page } from '../platform/http/http-server.ts'
import { homePages } from './home-page.ts'
import { integrationPages } from './integrations/pages.ts'
import { markdownPage } from './markdown-page.ts'
import { referencePage } from './page.ts'

/** Nothing on these pages may load or run anything from anywhere. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"

export function referencePages(app: App): Page[] {
  const { config } = app
  let document: string | undefined
  return [
    ...homePages(app),
    ...integrationPages(app),
    {
      path: '/api/openapi.json',
      name: 'reference',
      handle: async (_request, reply) => {
        document ??= JSON.stringify(openApiDocument())
        return reply.type('application/json').header('access-control-allow-origin', '*').send(document)
      },
    },
    {
      path: '/api/markdown',
      name: 'reference',
      handle: async (_request, reply) =>
        reply
          .type('text/html')
          .header('content-security-policy', `${policy}; img-src 'self'`)
          .send(await markdownPage()),
    },
    {
      path: '/api/docs',
      name: 'reference',
      handle: async (request, reply) => {
        const { origin } = resolveRequest(config, request)
        return reply.type('text/html').header('content-security-policy', policy).send(referencePage(origin))
      },
    },
  ]
}
