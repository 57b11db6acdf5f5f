import type { App } from '../../platform/app.ts'
import type { LinkPreviewRequestRow } from '../../platform/database/tables.ts'
import { FailureLog } from '../../platform/failure-log.ts'
import { waitUntilJobsResume } from '../../platform/jobs-hold.ts'
import { previewMetrics } from './metrics.ts'
import { previewMessage, requestClaimSeconds } from './preview-message.ts'
import { claimRequests, previewLoop } from './requests.ts'

/** Number of requests that one node handles concurrently. They mostly wait for other hosts. */
const maxConcurrent = 8
/**
 * Interval between queries for requests that other nodes have not handled, because they died or are
 * busy.
 */
const pauseMs = 1_000
/**
 * Delay between sending a message and claiming its request, so that the response to the sender goes
 * out first and requests of several messages are claimed together.
 */
const afterSendMs = 50

export interface LinkPreviews {
  stop(): Promise<void>
}

/**
 * Adds previews to messages on this node until stopped. Previews are not jobs, because slow hosts
 * would delay other jobs such as e-mails, and every send would have to notify the job queue.
 */
export function startLinkPreviews(app: App): LinkPreviews {
  const stop = new AbortController()
  // Outgoing requests are aborted as soon as the node stops.
  const stopping = AbortSignal.any([stop.signal, app.outbound.closing])
  const running = new Set<Promise<void>>()
  const failures = new FailureLog(app.log, {
    failed: 'links cannot be previewed right now; this will be retried',
    recovered: 'links are previewed again',
  })
  let wake = () => {}
  let hasNewRequests = false
  const wakeLoop = () => {
    hasNewRequests = true
    wake()
  }
  previewMetrics(app)
  let afterSend: NodeJS.Timeout | undefined
  previewLoop(app).wake = () => {
    afterSend ??= setTimeout(() => {
      afterSend = undefined
      wakeLoop()
    }, afterSendMs)
  }

  const begin = (request: LinkPreviewRequestRow) => {
    const work: Promise<void> = previewMessage(app, request, stopping)
      .then(
        () => failures.succeeded(),
        (error: unknown) => stopping.aborted || failures.failed(error),
      )
      .then(() => {
        running.delete(work)
        wakeLoop()
      })
    running.add(work)
  }

  const pause = async () => {
    if (hasNewRequests || stopping.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, pauseMs)
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  const work = async () => {
    await waitUntilJobsResume(app, stopping)
    while (!stopping.aborted) {
      hasNewRequests = false
      const free = maxConcurrent - running.size
      const claimed = free > 0 ? await claimRequests(app.db, free, requestClaimSeconds).catch(fail) : []
      for (const request of claimed) begin(request)
      await pause()
    }
  }
  const fail = (error: unknown): LinkPreviewRequestRow[] => {
    failures.failed(error)
    return []
  }

  const done = app.config.link_previews ? work() : Promise.resolve()
  return {
    async stop() {
      stop.abort()
      clearTimeout(afterSend)
      wake()
      await done
      await Promise.all(running)
    },
  }
}
