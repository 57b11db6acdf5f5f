import { readFavicon } from '@oxbow/look'
import type { Page } from '../http/http-server.ts'
import { immutableCaching } from '../http/send-file.ts'
import { pageStyles, referenceStyles, type ServedStyles } from './styles.ts'

/** Serves the style sheets of pages, which browsers cache, and the icon of the server. */
export function assetRoutes(): Page[] {
  return [serveStyles(pageStyles), serveStyles(referenceStyles), serveFavicon(readFavicon())]
}

const serveStyles = ({ url, text }: ServedStyles): Page => ({
  path: url,
  name: 'styles',
  anonymousLimit: 'never',
  handle: async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', immutableCaching).send(text),
})

/** Browsers request this path on their own if no page names an icon, for example when they show a file. */
const serveFavicon = (icon: Buffer): Page => ({
  path: '/favicon.ico',
  name: 'static',
  anonymousLimit: 'never',
  handle: async (_request, reply) =>
    reply.type('image/x-icon').header('cache-control', 'public, max-age=86400').send(icon),
})
