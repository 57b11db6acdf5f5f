import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'endpoint' | 'status'>
  readonly rateLimited: Counter
  readonly outwardRequests: Counter<'outcome'>
}

export interface PoolCounts {
  totalCount: number
  idleCount: number
  waitingCount: number
}

export function makeMetrics(pool: PoolCounts): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'oxbow_database_connections',
    help: 'Connections to PostgreSQL, by what they do.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'awaited' }, pool.waitingCount)
    },
  })
  return {
    registry,
    requests: new Histogram({
      name: 'oxbow_http_request_seconds',
      help: 'Time to answer a request.',
      labelNames: ['endpoint', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    rateLimited: new Counter({
      name: 'oxbow_rate_limited_total',
      help: 'Requests refused because their account made too many.',
      registers,
    }),
    outwardRequests: new Counter({
      name: 'oxbow_outward_requests_total',
      help: 'Requests to hosts that users named, by outcome: answered, or why they were given up.',
      labelNames: ['outcome'],
      registers,
    }),
  }
}
