import { Counter } from 'prom-client'
import type { App } from '../../platform/app.ts'
import { perNode } from '../../platform/per-node.ts'

export const callMetrics = perNode({
  name: 'metrics of outgoing webhooks',
  create: ({ metrics }: App) => ({
    calls: new Counter({
      name: 'oxbow_outgoing_webhook_calls_total',
      help: 'Calls of outgoing webhooks, by outcome: answered, postponed (the server could not be reached), failed.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    }),
  }),
})
