import type { App } from '../../platform/app.ts'
import { resolveRequest } from '../../platform/http/host.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { helpPages } from './help/pages.ts'
import { integrationPages } from './integrations/pages.ts'
import { referencePolicy } from './layout.ts'
import { markdownPage } from './markdown-page.ts'

export function referencePages(app: App): Page[] {
  const { config } = app
  let document: Promise<string> | undefined
  return [
    ...integrationPages(app),
    ...helpPages(app),
    {
      path: '/api/openapi.json',
      name: 'reference',
      handle: async (_request, reply) => {
        // The promise is stored, so that concurrent requests share one document.
        document ??= writeOpenApiDocument()
        return reply
          .type('application/json')
          .header('access-control-allow-origin', '*')
          .send(await document)
      },
    },
    {
      path: '/api/markdown',
      name: 'reference',
      handle: async (_request, reply) =>
        reply
          .type('text/html')
          .header('content-security-policy', referencePolicy)
          .send(await markdownPage()),
    },
    {
      path: '/api/docs',
      name: 'reference',
      handle: async (request, reply) => {
        const { origin } = resolveRequest(config, request)
        const { referencePage } = await import('./page.ts')
        return reply
          .type('text/html')
          .header('content-security-policy', referencePolicy)
          .send(referencePage(origin))
      },
    },
  ]
}

/** Writes the document. Its module is imported on first use, because most nodes never need it. */
async function writeOpenApiDocument(): Promise<string> {
  const { openApiDocument } = await import('@oxbow/contract/openapi')
  return JSON.stringify(openApiDocument())
}
