import type { Feature, Work } from '../../feature.ts'
import { webhookCallLoop } from '../../messages/send/post-message.ts'
import type { App } from '../../platform/app.ts'
import { startClaimedWork } from '../../platform/jobs/claimed-work.ts'
import { makeCall } from './make-call.ts'
import { callMetrics } from './metrics.ts'
import { notifyOwner } from './notify-owner.ts'
import { claimCalls } from './queries.ts'

/** Outgoing webhooks: bots whose server is called with each message for them, and whose answers are posted. */
export const outgoingWebhooksFeature = {
  jobs: [notifyOwner],
  start: startCalls,
} satisfies Feature

function startCalls(app: App): Work {
  callMetrics(app)
  const loop = startClaimedWork(app, {
    maxConcurrent: 16,
    claim: (limit) => claimCalls(app.db, limit),
    handle: (attempt, stopping) => makeCall(app, attempt, stopping),
    failures: {
      failed: 'outgoing webhooks cannot be called right now; this will be retried',
      recovered: 'outgoing webhooks are called again',
    },
  })
  webhookCallLoop(app).wake = loop.wake
  return loop
}
