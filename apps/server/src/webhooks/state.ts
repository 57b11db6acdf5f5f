import { listServices } from '@oxbow/integrations'
import type { StateSlice } from '../events/state-slice.ts'

export const incomingWebhooksState: StateSlice = {
  types: ['realm_incoming_webhook_bots'],
  async read() {
    const names = await listServices()
    return { realm_incoming_webhook_bots: names.map((name) => ({ name, config: {} })) }
  },
}
