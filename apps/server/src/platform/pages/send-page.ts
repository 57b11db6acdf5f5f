import type { Translate } from '@oxbow/texts'
import type { FastifyReply } from 'fastify'
import { type Html, html } from '../html.ts'
import { pageStyles } from './styles.ts'
import { textsFor } from './texts.ts'

/** The organization or server to which a page belongs. */
export interface Brand {
  name: string
  /** URL of the icon, which is on this server. */
  iconUrl: string
}

export interface PageContent {
  /** HTTP status; 200 by default. */
  status?: number
  /** Heading of the page and title of the window. */
  title: string
  /** Everything below the heading. */
  content: Html
  /** Absent on pages that belong to no organization, such as error pages. */
  brand?: Brand | undefined
  /** Links below the page. */
  links?: readonly PageLink[]
  /** Whether the page is wide, for pages with more than a form. */
  isWide?: boolean
  /** Other origins to which a form of the page may redirect. */
  formTargets?: readonly string[]
}

export interface PageLink {
  url: string
  text: string
}

/**
 * Sends a page that works without scripts, in the language that the browser asks for. The page loads only the
 * style sheet and pictures of this server, and cannot be framed, cached or indexed.
 */
export function sendPage(reply: FastifyReply, page: PageContent): FastifyReply {
  const t = textsFor(reply.request)
  return reply
    .code(page.status ?? 200)
    .headers({
      ...pageHeaders,
      'content-security-policy': contentPolicy(page),
      'content-language': t.language,
    })
    .type('text/html; charset=utf-8')
    .send(renderPage(t, page))
}

/**
 * Headers of every page. The referrer is sent only to the same origin, because URLs of pages may be secret.
 * It cannot be left out altogether: browsers would send `Origin: null` with forms, and a server without https
 * would refuse every form.
 */
const pageHeaders = {
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  'cache-control': 'no-store',
  vary: 'accept, accept-language, cookie',
}

function contentPolicy({ formTargets = [] }: PageContent): string {
  const forms = ["'self'", ...formTargets].join(' ')
  return `default-src 'none'; style-src 'self'; img-src 'self'; form-action ${forms}; base-uri 'none'; frame-ancestors 'none'`
}

/** The icon of pages that belong to no organization. */
export const defaultIconUrl = '/static/images/default-icon.png'

function renderPage(t: Translate, { title, content, brand, links = [], isWide }: PageContent): string {
  const windowTitle = brand && !title.includes(brand.name) ? `${title} · ${brand.name}` : title
  return html`<!doctype html>
<html lang="${t.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${windowTitle}</title>
<link rel="stylesheet" href="${pageStyles.url}">
<link rel="icon" href="${brand?.iconUrl ?? defaultIconUrl}">
</head>
<body class="Page${isWide && ' Page-wide'}">
<main class="Page-main">
<div class="Page-sheet">
<img class="Page-icon" src="${brand?.iconUrl ?? defaultIconUrl}" alt="" width="40" height="40">
<h1>${title}</h1>
${content}
</div>
</main>
${links.length > 0 && renderFooter(t, links)}
</body>
</html>
`.text
}

function renderFooter(t: Translate, links: readonly PageLink[]): Html {
  const items = links.map(({ url, text }) => html`<li><a href="${url}">${text}</a></li>`)
  return html`<footer class="Page-foot"><nav aria-label="${t('foot.label')}"><ul class="Page-links">${items}</ul></nav></footer>`
}
