import type { Page } from '../http/http-server.ts'
import { immutableCaching } from '../http/send-file.ts'
import { pageStyles } from './styles.ts'

/** Serves the style sheet of the pages, which browsers keep. */
export const styleRoute: Page = {
  path: pageStyles.url,
  name: 'styles',
  countsAsStranger: 'never',
  handle: async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', immutableCaching).send(pageStyles.text),
}
