import type { App } from '../../platform/app.ts'
import { perNode } from '../../platform/per-node.ts'

/**
 * Maximum number of logged reports per node and interval. Anyone can send reports, so without a
 * limit they could fill the disk.
 */
const maxReports = 20
const intervalMs = 60_000

interface Interval {
  startedAt: number
  count: number
  suppressed: number
}

const getInterval = perNode<Interval>({
  name: 'logged reports of clients',
  create: () => ({ startedAt: performance.now(), count: 0, suppressed: 0 }),
})

/**
 * Logs a report of a client, at most `maxReports` in a minute on this node. The first report of the
 * next minute says how many were suppressed.
 */
export function logReport(app: App, level: 'info' | 'warn', fields: object, text: string): void {
  const now = performance.now()
  const interval = getInterval(app)
  const { suppressed } = interval
  const isOver = now - interval.startedAt >= intervalMs
  if (isOver) Object.assign(interval, { startedAt: now, count: 0, suppressed: 0 })
  if (interval.count >= maxReports) {
    interval.suppressed++
    return
  }
  interval.count++
  app.log[level]({ ...fields, ...(isOver && suppressed > 0 && { suppressed }) }, text)
}

/** Shortens a text of a client. Replaces control characters, which could manipulate a terminal. */
export function shorten(text: string, maxLength: number): string {
  const visible = text.slice(0, maxLength).replace(/\p{Cc}+/gu, ' ')
  return text.length > maxLength ? `${visible}…` : visible
}
