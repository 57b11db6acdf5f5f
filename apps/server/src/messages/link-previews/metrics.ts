import { Counter } from 'prom-client'
import type { App } from '../../platform/app.ts'
import { perNode } from '../../platform/per-node.ts'

interface PreviewMetrics {
  fetches: Counter<'outcome'>
}

export const previewMetrics = perNode<PreviewMetrics>({
  name: 'metrics of link previews',
  create: makePreviewMetrics,
})

function makePreviewMetrics({ metrics }: App): PreviewMetrics {
  return {
    fetches: new Counter({
      name: 'oxbow_link_pages_fetched_total',
      help: 'Pages fetched for link previews, by outcome: shown, nothing (no page, or not to be shown), failed.',
      labelNames: ['outcome'],
      registers: [metrics.registry],
    }),
  }
}
