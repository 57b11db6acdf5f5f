import type { App } from '../../platform/app.ts'
import { fetchOutward, type OutwardResponse } from '../../platform/outward/fetch-outward.ts'
import { OutwardRefusal } from '../../platform/outward/outward-refusal.ts'
import { decodeHtml } from './page/decode-html.ts'
import { describePage, readOEmbed } from './page/describe-page.ts'
import { emptyPage, type Page } from './page/page.ts'
import { type HtmlFindings, readHtml } from './page/read-html.ts'
import { readDirectives, readRobotsHeader } from './page/robots-directives.ts'
import { isFetchAllowed, robotName } from './robots.ts'

/** Larger pages have no preview. */
const maxPageBytes = 4 * 1_024 * 1_024
/** The part of a page that is decoded and read. */
const maxReadBytes = 1_024 * 1_024
const maxOEmbedBytes = 128 * 1_024
const timeoutMs = 10_000
const htmlType = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i
const jsonType = /^\s*(?:application\/(?:[\w.-]+\+)?json|text\/(?:javascript|json))\s*(?:;|$)/i

/** Thrown where a page may be there later. */
export class PageUnavailable extends Error {}

/**
 * Fetches a page and returns the content of its preview: nothing if it is not a page, or its site
 * forbids previews. The requests reveal nothing about the message, its sender or its readers.
 */
export async function fetchPage(app: App, url: string, signal: AbortSignal): Promise<Page> {
  try {
    return await visitPage(app, url, signal)
  } catch (error) {
    if (!(error instanceof OutwardRefusal)) throw error
    throw new PageUnavailable(error.reason, { cause: error })
  }
}

async function visitPage(app: App, url: string, signal: AbortSignal): Promise<Page> {
  if (!(await isFetchAllowed(app, url, signal))) return emptyPage
  const accept = 'text/html, application/xhtml+xml;q=0.9'
  const response = await fetchOutward(app.outward, url, { accept, maxBytes: maxPageBytes, timeoutMs, signal })
  if (response.status >= 500 || response.status === 429)
    throw new PageUnavailable(`status ${response.status}`)
  const { 'content-type': contentType = '', 'x-robots-tag': robotsTag } = response.headers
  if (response.status < 200 || response.status >= 300 || !htmlType.test(contentType)) return emptyPage
  // Redirects were followed by then, and the last host has rules of its own.
  if (response.url !== url && !(await isFetchAllowed(app, response.url, signal))) return emptyPage
  const html = decodeHtml(response.body.subarray(0, maxReadBytes), contentType)
  const findings = await readHtml(html, robotName)
  const robots = readRobotsHeader(robotsTag, robotName)
  const wishes = readDirectives([...findings.robots, ...robots])
  if (wishes.noPreview) return emptyPage
  const oEmbed = needsOEmbed(findings) ? await fetchOEmbed(app, findings, response, signal) : emptyPage
  return describePage(findings, response.url, wishes, oEmbed)
}

/** A second request is made only for pages that do not describe themselves by Open Graph. */
const needsOEmbed = ({ meta, oEmbed }: HtmlFindings): boolean =>
  oEmbed.length > 0 && !(meta.has('og:title') && (meta.has('og:image') || meta.has('og:description')))

/** Returns nothing where the response fails: the page itself was there. */
async function fetchOEmbed(
  app: App,
  { oEmbed: [href = ''] }: HtmlFindings,
  { url }: OutwardResponse,
  signal: AbortSignal,
): Promise<Page> {
  if (!URL.canParse(href, url)) return emptyPage
  const target = new URL(href, url).href
  if (!/^https?:/.test(target)) return emptyPage
  try {
    if (!(await isFetchAllowed(app, target, signal))) return emptyPage
    const { status, headers, body } = await fetchOutward(app.outward, target, {
      accept: 'application/json',
      maxBytes: maxOEmbedBytes,
      timeoutMs,
      signal,
    })
    const isJson = status >= 200 && status < 300 && jsonType.test(headers['content-type'] ?? '')
    return isJson ? readOEmbed(body.toString('utf8')) : emptyPage
  } catch (error) {
    if (error instanceof OutwardRefusal && error.reason !== 'aborted') return emptyPage
    throw error
  }
}
