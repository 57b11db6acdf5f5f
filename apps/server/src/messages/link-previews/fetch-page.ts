import type { App } from '../../platform/app.ts'
import { fetchOutbound, type OutboundResponse } from '../../platform/outbound/fetch-outbound.ts'
import { OutboundRefusal } from '../../platform/outbound/outbound-refusal.ts'
import { toPageUrl } from './links.ts'
import { decodeHtml } from './page/decode-html.ts'
import { describePage, readOEmbed } from './page/describe-page.ts'
import { emptyPage, type Page } from './page/page.ts'
import { type HtmlFindings, readHtml } from './page/read-html.ts'
import { readDirectives, readRobotsHeader } from './page/robots-directives.ts'
import { isFetchAllowed, robotName } from './robots.ts'

/** Larger pages get no preview. */
const maxPageBytes = 4 * 1_024 * 1_024
/** Only this much of a page is decoded and parsed. */
const maxReadBytes = 1_024 * 1_024
const maxOEmbedBytes = 128 * 1_024
const timeoutMs = 10_000
const htmlType = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const jsonType = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/(?:javascript|json))\s*(?:;|$)/i

/** Thrown if the page cannot be fetched now, but may be available later. */
export class PageUnavailable extends Error {}

/**
 * Fetches a page and returns the content of its preview. The content is empty if the URL does not
 * lead to an HTML page or the site forbids previews. The requests reveal nothing about the message,
 * its sender or its readers.
 */
export async function fetchPage(app: App, url: string, signal: AbortSignal): Promise<Page> {
  try {
    return await visitPage(app, url, signal)
  } catch (error) {
    if (!(error instanceof OutboundRefusal)) throw error
    throw new PageUnavailable(error.reason, { cause: error })
  }
}

async function visitPage(app: App, url: string, signal: AbortSignal): Promise<Page> {
  if (!(await isFetchAllowed(app, url, signal))) return emptyPage
  const accept = 'text/html, application/xhtml+xml;q=0.9'
  const response = await fetchOutbound(app.outbound, url, {
    accept,
    maxBytes: maxPageBytes,
    timeoutMs,
    signal,
  })
  if (response.status >= 500 || response.status === 429)
    throw new PageUnavailable(`status ${response.status}`)
  const { 'content-type': contentType = '', 'x-robots-tag': robotsTag } = response.headers
  if (response.status < 200 || response.status >= 300 || !htmlType.test(contentType)) return emptyPage
  // Redirects were followed, and the final host may have another robots.txt.
  if (response.url !== url && !(await isFetchAllowed(app, response.url, signal))) return emptyPage
  const html = decodeHtml(response.body.subarray(0, maxReadBytes), contentType)
  const findings = await readHtml(html, robotName)
  const robots = readRobotsHeader(robotsTag, robotName)
  const restrictions = readDirectives([...findings.robots, ...robots])
  if (restrictions.noPreview) return emptyPage
  const oEmbed = needsOEmbed(findings) ? await fetchOEmbed(app, findings, response, signal) : emptyPage
  return describePage(findings, response.url, restrictions, oEmbed)
}

/** The oEmbed response is requested only for pages without sufficient Open Graph metadata. */
const needsOEmbed = ({ meta, oEmbed }: HtmlFindings): boolean =>
  oEmbed.length > 0 && !(meta.has('og:title') && (meta.has('og:image') || meta.has('og:description')))

/**
 * Fetches the oEmbed response of a page. Returns an empty page if the request fails, so that the
 * preview can still use the HTML page.
 */
async function fetchOEmbed(
  app: App,
  { oEmbed: [href = ''] }: HtmlFindings,
  { url }: OutboundResponse,
  signal: AbortSignal,
): Promise<Page> {
  const target = URL.canParse(href, url) ? toPageUrl(new URL(href, url).href) : undefined
  if (target === undefined) return emptyPage
  try {
    if (!(await isFetchAllowed(app, target, signal))) return emptyPage
    const { status, headers, body } = await fetchOutbound(app.outbound, target, {
      accept: 'application/json',
      maxBytes: maxOEmbedBytes,
      timeoutMs,
      signal,
    })
    const isJson = status >= 200 && status < 300 && jsonType.test(headers['content-type'] ?? '')
    return isJson ? readOEmbed(body.toString('utf8')) : emptyPage
  } catch (error) {
    if (error instanceof OutboundRefusal && error.reason !== 'aborted') return emptyPage
    throw error
  }
}
