import { oxbowVersion } from '@oxbow/assets'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Peers } from '../peers.ts'

export interface Metrics {
  readonly registry: Registry
  readonly requests: Histogram<'endpoint' | 'status'>
  readonly rateLimited: Counter
  readonly databaseWaits: Histogram<'use'>
  readonly outboundRequests: Counter<'outcome'>
  /** Returns the metrics of all processes that serve this node's port, in the format of Prometheus. */
  read(): Promise<string>
  readonly jobRuns: Histogram<'kind' | 'outcome'>
  readonly jobFailures: Counter
  readonly mails: Counter<'outcome'>
  readonly storedFiles: Counter
  readonly storedBytes: Counter
  readonly fileFailures: Counter<'operation'>
}

export interface PoolCounts {
  totalCount: number
  idleCount: number
  waitingCount: number
  options: { max: number }
}

/** The operations of the file store whose failures are counted. */
const fileOperations = ['put', 'get', 'stat', 'remove'] as const

/**
 * Creates the metrics of a node. If several processes serve one port, each series has the label `process`.
 * Sums would fall when a process ends, which Prometheus would interpret as a restart of all processes.
 */
export function makeMetrics(pool: PoolCounts, peers?: Peers): Metrics {
  const registry = new Registry()
  if (peers) registry.setDefaultLabels({ process: String(peers.number) })
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'oxbow_database_connections',
    help: 'Connections to PostgreSQL by state: busy or idle; awaited counts callers that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'awaited' }, pool.waitingCount)
    },
  })
  new Gauge({
    name: 'oxbow_database_connections_limit',
    help: 'Maximum number of connections to PostgreSQL (database_pool_size).',
    registers,
  }).set(pool.options.max)
  new Gauge({
    name: 'oxbow_build_info',
    help: 'Always 1; the label is the version of Oxbow.',
    labelNames: ['version'],
    registers,
  }).set({ version: oxbowVersion }, 1)
  return {
    registry,
    read: () => (peers ? peers.readMetrics() : registry.metrics()),
    requests: new Histogram({
      name: 'oxbow_http_request_seconds',
      help: 'Time to answer a request.',
      labelNames: ['endpoint', 'status'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    databaseWaits: new Histogram({
      name: 'oxbow_database_wait_seconds',
      help: 'Time that callers waited for a connection to PostgreSQL, by use: reads of many rows, or others.',
      labelNames: ['use'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    rateLimited: new Counter({
      name: 'oxbow_rate_limited_total',
      help: 'Requests refused by the rate limit.',
      registers,
    }),
    outboundRequests: new Counter({
      name: 'oxbow_outward_requests_total',
      help: 'Outbound requests to hosts chosen by users, by outcome: answered, or the reason for the failure.',
      labelNames: ['outcome'],
      registers,
    }),
    jobRuns: new Histogram({
      name: 'oxbow_job_run_seconds',
      help: 'Duration of background jobs on this node, by kind of job and outcome: done or failed.',
      labelNames: ['kind', 'outcome'],
      buckets: [0.01, 0.1, 1, 10, 60, 600],
      registers,
    }),
    jobFailures: new Counter({
      name: 'oxbow_job_failures_total',
      help: 'Attempts to run a background job that failed on this node.',
      registers,
    }),
    mails: counterFromZero(
      new Counter({
        name: 'oxbow_mails_total',
        help: 'Attempts to send an e-mail, by outcome: sent or failed.',
        labelNames: ['outcome'],
        registers,
      }),
      ['sent', 'failed'],
      (outcome) => ({ outcome }),
    ),
    storedFiles: new Counter({
      name: 'oxbow_files_stored_total',
      help: 'Files that this node stored: uploads, and pictures that the server made.',
      registers,
    }),
    storedBytes: new Counter({
      name: 'oxbow_files_stored_bytes_total',
      help: 'Size of the files that this node stored.',
      registers,
    }),
    fileFailures: counterFromZero(
      new Counter({
        name: 'oxbow_file_failures_total',
        help: 'Operations of the file store that failed: disk full, or object store unavailable.',
        labelNames: ['operation'],
        registers,
      }),
      fileOperations,
      (operation) => ({ operation }),
    ),
  }
}

/** Sets the count of every label to 0, because Prometheus does not see the first increment of a new series. */
function counterFromZero<Label extends string>(
  counter: Counter<Label>,
  values: readonly string[],
  toLabels: (value: string) => Record<Label, string>,
): Counter<Label> {
  for (const value of values) counter.inc(toLabels(value), 0)
  return counter
}
