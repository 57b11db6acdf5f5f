import type { api } from '@oxbow/contract'
import type { Routes } from '../platform/http/bind.ts'
import { deliver } from './deliver.ts'
import { listFailures } from './failures/list-failures.ts'
import { replayFailure } from './failures/replay-failure.ts'

export const webhookRoutes: Omit<Routes<typeof api.webhooks>, 'listIntegrations'> = {
  deliver,
  listFailures,
  replayFailure,
}
