import type { App } from '../../platform/app.ts'
import { startClaimedWork } from '../../platform/jobs/claimed-work.ts'
import { previewMetrics } from './metrics.ts'
import { previewMessage, requestClaimSeconds } from './preview-message.ts'
import { claimRequests, previewLoop } from './requests.ts'

export interface LinkPreviews {
  stop(): Promise<void>
}

/** Adds previews to messages on this node until stopped. */
export function startLinkPreviews(app: App): LinkPreviews {
  previewMetrics(app)
  if (!app.config.link_previews) return { async stop() {} }
  const loop = startClaimedWork(app, {
    maxConcurrent: 8,
    claim: (limit) => claimRequests(app.db, limit, requestClaimSeconds),
    handle: (request, stopping) => previewMessage(app, request, stopping),
    failures: {
      failed: 'links cannot be previewed right now; this will be retried',
      recovered: 'links are previewed again',
    },
  })
  previewLoop(app).wake = loop.wake
  return loop
}
