import type { App } from '../../platform/app.ts'
import type { LinkPreviewRequestRow } from '../../platform/database/tables.ts'
import { applyPreviews } from './apply-previews.ts'
import { fetchPage, PageUnavailable } from './fetch-page.ts'
import { toPageUrl } from './links.ts'
import { previewMetrics } from './metrics.ts'
import { emptyPage, isWorthShowing, type Page } from './page/page.ts'
import { claimPage, hasReachedLimit, type PageKey, readPageState, releasePage, savePage } from './pages.ts'
import {
  deleteRequest,
  isStillWanted,
  maxAttempts,
  releaseRequest,
  waitForPage,
  wakeRequests,
} from './requests.ts'

/** Time limit for all requests about one page: robots.txt, the page, and its oEmbed response. */
const maxFetchSeconds = 25
/**
 * Duration of a page's claim. A node that takes longer has died or lost its connection to
 * PostgreSQL.
 */
const pageClaimSeconds = 40
export const requestClaimSeconds = 60
const keepPageSeconds = 86_400
const keepFailureSeconds = 900

/**
 * Adds previews of all linked pages to a message, in a single update. Waits for pages that another
 * request is fetching. After an error, the request is retried later.
 */
export async function previewMessage(
  app: App,
  request: LinkPreviewRequestRow,
  stopping: AbortSignal,
): Promise<void> {
  const { db } = app
  if (request.attempts > maxAttempts || !(await isStillWanted(db, request))) {
    await deleteRequest(db, request)
    return
  }
  const found = await Promise.allSettled(request.links.map((link) => findPage(app, request, link, stopping)))
  if (stopping.aborted) return releaseRequest(db, request)
  const pages: [string, Page][] = []
  for (const [index, result] of found.entries()) {
    if (result.status === 'rejected') throw result.reason
    const link = request.links[index] as string
    if (result.value === 'being fetched') return waitForPage(db, request, toPageUrl(link) ?? '')
    if (isWorthShowing(result.value)) pages.push([link, result.value])
  }
  await applyPreviews(app, request, pages)
}

type FoundPage = Page | 'being fetched'

async function findPage(
  app: App,
  { organization_id, sender_id }: LinkPreviewRequestRow,
  link: string,
  stopping: AbortSignal,
): Promise<FoundPage> {
  const url = toPageUrl(link)
  if (url === undefined) return emptyPage
  const key = { organization_id, url }
  const pageState = await readPageState(app.db, key)
  if (pageState.state === 'known') return pageState.page
  if (pageState.state === 'being fetched') return pageState.state
  if (await hasReachedLimit(app.db, organization_id, sender_id)) return emptyPage
  if (!(await claimPage(app.db, key, sender_id, pageClaimSeconds))) return 'being fetched'
  return fetchAndSave(app, key, stopping)
}

async function fetchAndSave(app: App, key: PageKey, stopping: AbortSignal): Promise<FoundPage> {
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(maxFetchSeconds * 1_000)])
  const { fetches } = previewMetrics(app)
  try {
    const page = await fetchPage(app, key.url, signal)
    fetches.inc({ outcome: isWorthShowing(page) ? 'shown' : 'nothing' })
    await endClaim(app, key, page, keepPageSeconds)
    return page
  } catch (error) {
    if (stopping.aborted || !(error instanceof PageUnavailable)) {
      await releasePage(app.db, key)
      await wakeRequests(app.db, key)
      throw error
    }
    fetches.inc({ outcome: 'failed' })
    // The URL is not logged, because it may be confidential.
    app.log.debug({ reason: error.message }, 'a linked page could not be fetched')
    await endClaim(app, key, emptyPage, keepFailureSeconds)
    return emptyPage
  }
}

async function endClaim({ db }: App, key: PageKey, page: Page, secondsToKeep: number): Promise<void> {
  await savePage(db, key, page, secondsToKeep)
  await wakeRequests(db, key)
}
