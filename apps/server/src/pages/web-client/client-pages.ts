import { ApiError } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import type { Page } from '../../platform/http/http-server.ts'
import { workerHeaders, workerPath } from './client-headers.ts'
import { sendClientFile } from './send-client-file.ts'
import { findAsset, getWebClient } from './web-client.ts'

/** Serves the files that the client's document loads: `/assets/…` and a few with fixed names. */
export function clientPages(app: App): Page[] {
  const client = getWebClient(app)
  const serve = (path: string): Page => ({
    path,
    name: 'web client',
    // Not rate-limited, because browsers load many of these files at a time and without
    // credentials.
    anonymousLimit: 'never',
    async handle(request, reply) {
      const [requested = ''] = request.url.split('?')
      const file = findAsset(client, requested)
      if (requested === workerPath) reply.headers(workerHeaders)
      if (!file || !(await sendClientFile(file, request, reply))) throw new ApiError('NOT_FOUND')
      return reply
    },
  })
  const fixed = [...(client.current?.files.keys() ?? [])].filter(
    (path) => !path.startsWith('/assets/') && path !== '/index.html',
  )
  return [serve('/assets/*'), ...fixed.map(serve)]
}
