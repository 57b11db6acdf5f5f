import type { Feature } from '../feature.ts'
import { deleteOldFailuresJob } from './failures/delete-old-failures.ts'
import { webhookRoutes } from './routes.ts'
import { incomingWebhooksState } from './state.ts'

/** Deliveries of other services, from the request to messages; failed deliveries. */
export const webhooksFeature = {
  routes: { webhooks: webhookRoutes },
  state: [incomingWebhooksState],
  jobs: [deleteOldFailuresJob],
} satisfies Feature
