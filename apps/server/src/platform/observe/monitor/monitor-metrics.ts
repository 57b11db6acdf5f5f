import { Gauge } from 'prom-client'
import type { Metrics } from '../metrics.ts'
import type { DatabaseFigures, WaitingJobsFigure } from './database-figures.ts'
import type { NodeMonitor } from './node-monitor.ts'
import type { Sample } from './sample.ts'

/** Jobs of another release, which this node does not know, are counted together. */
const otherJobs = 'other'

/**
 * Publishes the observations of a node. Figures that are not known, for example because PostgreSQL does not
 * answer, are left out.
 */
export function publishMonitor(
  monitor: NodeMonitor,
  { registry }: Metrics,
  jobNames: ReadonlySet<string>,
): void {
  const registers = [registry]
  const gauge = (name: string, help: string, read: (sample: Sample) => number | null | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const { latest } = monitor
        const value = latest && read(latest)
        if (value === null || value === undefined) this.remove()
        else this.set(value)
      },
    })
  const figure = (name: string, help: string, read: (figures: DatabaseFigures) => number | null) =>
    gauge(name, help, ({ database }) => database && read(database))

  gauge('oxbow_database_up', '1 while PostgreSQL answers this node and can be written to.', (sample) =>
    sample.isCutOff || sample.database?.is_standby ? 0 : 1,
  )
  gauge(
    'oxbow_database_answer_seconds',
    'Time that the last observation waited for PostgreSQL.',
    ({ databaseSeconds }) => databaseSeconds,
  )
  figure('oxbow_database_standbys', 'Standbys that follow the database.', ({ standbys }) => standbys)
  figure(
    'oxbow_database_standby_lag_seconds',
    'How long ago the slowest standby applied what it applied last, if this is known.',
    ({ standby_lag_seconds }) => standby_lag_seconds,
  )
  figure(
    'oxbow_database_standby_lag_bytes',
    'WAL that the slowest standby has not applied, if this is known.',
    ({ standby_lag_bytes }) => standby_lag_bytes,
  )
  figure(
    'oxbow_last_backup_timestamp_seconds',
    'Time of the last complete `oxbow backup` in seconds since 1970; 0 if there was none.',
    ({ backed_up_at }) => backed_up_at ?? 0,
  )
  figure('oxbow_jobs_held', '1 while background jobs wait for `oxbow jobs resume`.', ({ are_jobs_held }) =>
    Number(are_jobs_held),
  )
  figure(
    'oxbow_scheduled_messages_due',
    'Scheduled messages whose time has come.',
    ({ due_messages }) => due_messages,
  )
  figure(
    'oxbow_scheduled_messages_oldest_due_seconds',
    'Time since the oldest due scheduled message should have been sent; 0 if none is due.',
    ({ due_seconds }) => due_seconds,
  )
  const jobs = (name: string, help: string, read: (counted: WaitingJobsFigure) => number, combine: Combine) =>
    new Gauge({
      name,
      help,
      // Prometheus itself gives every series a label `job`.
      labelNames: ['kind'],
      registers,
      collect() {
        this.reset()
        const counted = monitor.latest?.database?.jobs
        if (!counted) return
        const byKind = new Map([...jobNames].map((kind) => [kind, 0]))
        for (const figures of counted) {
          const kind = jobNames.has(figures.kind) ? figures.kind : otherJobs
          byKind.set(kind, combine(byKind.get(kind) ?? 0, read(figures)))
        }
        for (const [kind, value] of byKind) this.set({ kind }, value)
      },
    })
  jobs(
    'oxbow_jobs_waiting',
    'Background jobs that are due and do not run yet.',
    ({ waiting }) => waiting,
    add,
  )
  jobs(
    'oxbow_jobs_oldest_seconds',
    'Time since the oldest waiting background job was due; 0 if none waits.',
    ({ oldest_seconds }) => oldest_seconds,
    Math.max,
  )
  jobs(
    'oxbow_jobs_retrying',
    'Background jobs that failed and will be retried.',
    ({ retrying }) => retrying,
    add,
  )
  jobs(
    'oxbow_jobs_given_up',
    'Background jobs that failed too often and are not retried.',
    ({ given_up }) => given_up,
    add,
  )
  publishDisks(monitor, registers)
}

type Combine = (a: number, b: number) => number
const add: Combine = (a, b) => a + b

function publishDisks(monitor: NodeMonitor, registers: Metrics['registry'][]): void {
  for (const measured of ['free', 'size'] as const)
    new Gauge({
      name: `oxbow_disk_${measured}_bytes`,
      help: `${measured === 'free' ? 'Free space' : 'Size'} of the file system of the data directory, and of the files.`,
      labelNames: ['directory'],
      registers,
      collect() {
        this.reset()
        for (const disk of monitor.latest?.disks ?? [])
          this.set({ directory: disk.directory }, disk[measured])
      },
    })
}
