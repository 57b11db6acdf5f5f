import { ApiError } from '@oxbow/contract'
import type { App } from '../../../platform/app.ts'
import type { Page } from '../../../platform/http/http-server.ts'
import { referencePolicy } from '../layout.ts'

/**
 * Public pages for people who use the web client, from `docs/using`, and their pictures. The code
 * that renders them is imported on first use, because most nodes never need it.
 */
export function helpPages(app: App): Page[] {
  const serve = (path: string): Page => ({
    path,
    name: 'help',
    handle: async (request, reply) => {
      const { renderHelpPage } = await import('./help-page.ts')
      const page = await renderHelpPage(app, (request.params as { name?: string }).name ?? '')
      if (page === undefined) throw new ApiError('NOT_FOUND')
      return reply.type('text/html').header('content-security-policy', referencePolicy).send(page)
    },
  })
  return [serve('/help'), serve('/help/:name'), picturePage]
}

const picturePage: Page = {
  path: '/help/pictures/:file',
  name: 'help',
  anonymousLimit: 'never',
  handle: async (request, reply) => {
    const { readHelpPicture } = await import('./help-page.ts')
    const picture = await readHelpPicture((request.params as { file: string }).file)
    if (!picture) throw new ApiError('NOT_FOUND')
    return reply.type('image/png').header('cache-control', 'public, max-age=86400').send(picture)
  },
}
