import { Counter, Histogram } from 'prom-client'
import type { App } from '../../../platform/app.ts'
import { perNode } from '../../../platform/per-node.ts'

interface DeliveryMetrics {
  delay: Histogram
  refused: Counter
}

export const getDeliveryMetrics = perNode<DeliveryMetrics>({
  name: 'metrics of scheduled messages',
  create: makeDeliveryMetrics,
})

function makeDeliveryMetrics({ metrics }: App): DeliveryMetrics {
  const registers = [metrics.registry]
  return {
    delay: new Histogram({
      name: 'oxbow_scheduled_message_delay_seconds',
      help: 'Time between the scheduled time of a message and its delivery.',
      buckets: [0.1, 0.5, 1, 2.5, 5, 15, 60, 300, 3_600],
      registers,
    }),
    refused: new Counter({
      name: 'oxbow_scheduled_messages_refused_total',
      help: 'Scheduled messages that were refused at their time.',
      registers,
    }),
  }
}
