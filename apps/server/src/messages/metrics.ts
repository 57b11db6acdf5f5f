import { Counter, Histogram } from 'prom-client'
import type { App } from '../platform/app.ts'
import { perNode } from '../platform/per-node.ts'

interface MessageMetrics {
  sent: Counter<'to'>
  search: Histogram
}

export const getMessageMetrics = perNode<MessageMetrics>({
  name: 'metrics of messages',
  create: makeMessageMetrics,
})

function makeMessageMetrics({ metrics }: App): MessageMetrics {
  const registers = [metrics.registry]
  const sent = new Counter({
    name: 'oxbow_messages_sent_total',
    help: 'Messages that this node sent for accounts: to a stream, or to people.',
    labelNames: ['to'],
    registers,
  })
  for (const to of ['stream', 'people']) sent.inc({ to }, 0)
  return {
    sent,
    search: new Histogram({
      name: 'oxbow_search_seconds',
      help: 'Time to find one page of messages that match a search.',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
  }
}
