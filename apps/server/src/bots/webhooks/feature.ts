import type { api } from '@oxbow/contract'
import { listServices } from '@oxbow/integrations'
import type { StateSlice } from '../../events/state-slice.ts'
import type { Feature } from '../../feature.ts'
import type { Routes } from '../../platform/http/bind.ts'
import { deliver } from './deliver.ts'
import { deleteOldFailuresJob } from './failures/delete-old-failures.ts'
import { listFailures } from './failures/list-failures.ts'
import { replayFailure } from './failures/replay-failure.ts'

const webhookRoutes: Omit<Routes<typeof api.webhooks>, 'listIntegrations'> = {
  deliver,
  listFailures,
  replayFailure,
}

const incomingWebhooksState: StateSlice = {
  types: ['realm_incoming_webhook_bots'],
  async read() {
    const names = await listServices()
    return { realm_incoming_webhook_bots: names.map((name) => ({ name, config: {} })) }
  },
}

/** Incoming webhooks: deliveries of other services become messages; failed deliveries are saved. */
export const webhooksFeature = {
  routes: { webhooks: webhookRoutes },
  state: [incomingWebhooksState],
  jobs: [deleteOldFailuresJob],
} satisfies Feature
