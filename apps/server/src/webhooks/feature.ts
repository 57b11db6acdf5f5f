import type { Feature } from '../feature.ts'
import { deleteOldFailuresJob } from './failures/delete-old-failures.ts'
import { webhookRoutes } from './routes.ts'
import { incomingWebhooksState } from './state.ts'

/** Incoming webhooks: deliveries of other services become messages; failed deliveries are saved. */
export const webhooksFeature = {
  routes: { webhooks: webhookRoutes },
  state: [incomingWebhooksState],
  jobs: [deleteOldFailuresJob],
} satisfies Feature
