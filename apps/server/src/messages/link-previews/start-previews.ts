import type { App } from '../../platform/app.ts'
import type { LinkPreviewRequestRow } from '../../platform/database/tables.ts'
import { FailureLog } from '../../platform/failure-log.ts'
import { waitUntilJobsResume } from '../../platform/jobs-hold.ts'
import { previewMetrics } from './metrics.ts'
import { previewMessage, requestClaimSeconds } from './preview-message.ts'
import { claimRequests, previewAlarm } from './requests.ts'

/** Requests that one node works on at the same time; most of it is waiting for other hosts. */
const maxAtOnce = 8
/** Pause between two looks at PostgreSQL, for requests of nodes that died or are busy. */
const pauseMs = 1_000
/** Delay after a send, whose response goes first; the requests of other sends are taken with it. */
const afterSendMs = 50

export interface LinkPreviews {
  stop(): Promise<void>
}

/**
 * Adds previews to messages on this node until stopped. The jobs of the platform are not used: slow
 * hosts would hold up mails, and a send would wait for the notification of the job.
 */
export function startLinkPreviews(app: App): LinkPreviews {
  const stop = new AbortController()
  // Outward requests are aborted as soon as the node stops.
  const stopping = AbortSignal.any([stop.signal, app.outward.closing])
  const running = new Set<Promise<void>>()
  const failures = new FailureLog(app.log, {
    failed: 'links cannot be previewed right now; this will be retried',
    recovered: 'links are previewed again',
  })
  let wake = () => {}
  let isAwaited = false
  const ring = () => {
    isAwaited = true
    wake()
  }
  previewMetrics(app)
  let afterSend: NodeJS.Timeout | undefined
  previewAlarm(app).ring = () => {
    afterSend ??= setTimeout(() => {
      afterSend = undefined
      ring()
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
        ring()
      })
    running.add(work)
  }

  const pause = async () => {
    if (isAwaited || stopping.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, pauseMs)
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  const work = async () => {
    await waitUntilJobsResume(app, stopping)
    while (!stopping.aborted) {
      isAwaited = false
      const free = maxAtOnce - running.size
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
