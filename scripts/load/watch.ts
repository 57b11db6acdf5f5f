import { readFileSync } from 'node:fs'
import { metricsToken, readProcessorSeconds } from '@oxbow/testkit'
import type pg from 'pg'
import { processorTime } from '../bench/messages/processor-time.ts'
import { round } from './statistics.ts'

/** Measurements at one time. Processor times are seconds since the start of each process. */
export interface Sample {
  /** Milliseconds since the epoch. */
  at: number
  nodeSeconds: number
  /** Sessions of the database, with those that have ended. */
  postgresSeconds: number
  nodeMb: number
}

/** A statement of the node during the run. Times are milliseconds in all. */
export interface StatementCost {
  text: string
  calls: number
  planning: number
  execution: number
}

/** The node that is measured, which a deployment may replace. */
export interface Measured {
  pid: number
  url: string
}

/** Samples the node and PostgreSQL each second. */
export class Watch {
  readonly samples: Sample[] = []
  readonly #measured: () => Measured
  readonly #session: pg.Client
  readonly #timer: NodeJS.Timeout
  /** Processor seconds of nodes that a deployment has ended. */
  #endedSeconds = 0

  constructor(measured: () => Measured, session: pg.Client) {
    this.#measured = measured
    this.#session = session
    this.#timer = setInterval(() => void this.sample(), 1000)
  }

  /** Must be called before the node ends, so that its processor time still counts. */
  noteEnd(): void {
    this.#endedSeconds += readProcessorSeconds(this.#measured().pid)
  }

  async sample(): Promise<Sample> {
    const { pid } = this.#measured()
    const sample: Sample = {
      at: Date.now(),
      nodeSeconds: this.#endedSeconds + orZero(() => readProcessorSeconds(pid)),
      postgresSeconds: ((await processorTime(this.#session)) ?? 0) / 1000,
      nodeMb: orZero(() => readResidentMb(pid)),
    }
    this.samples.push(sample)
    return sample
  }

  stop(): void {
    clearInterval(this.#timer)
  }
}

/** Zero while a deployment replaces the process. */
function orZero(read: () => number): number {
  try {
    return read()
  } catch {
    return 0
  }
}

function readResidentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return round(Number(kb ?? 0) / 1024)
}

/** Returns the share of each processor that both used between two times, in processors. */
export function coresBetween(samples: readonly Sample[], from: number, to: number) {
  const within = samples.filter(({ at }) => at >= from && at <= to)
  const [first, last] = [within[0], within.at(-1)]
  if (!first || !last || first === last) return { node: 0, postgres: 0 }
  const seconds = (last.at - first.at) / 1000
  return {
    node: round((last.nodeSeconds - first.nodeSeconds) / seconds, 3),
    postgres: round((last.postgresSeconds - first.postgresSeconds) / seconds, 3),
  }
}

/** Forgets the statements so far. Returns false if PostgreSQL does not count statements. */
export async function startCountingStatements(session: pg.Client): Promise<boolean> {
  try {
    await session.query('create extension if not exists pg_stat_statements')
    await session.query('select pg_stat_statements_reset()')
    return true
  } catch {
    return false
  }
}

/** Lists the statements that took most time, and the sums of all. */
export async function readStatements(session: pg.Client): Promise<StatementCost[]> {
  const { rows } = await session.query<StatementCost>(
    `select left(regexp_replace(query, '\\s+', ' ', 'g'), 200) as text, sum(calls)::int as calls,
       round(sum(total_plan_time))::int as planning, round(sum(total_exec_time))::int as execution
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
     group by 1 order by sum(total_plan_time + total_exec_time) desc`,
  )
  return rows
}

/** Reads the metrics of the node that have no labels. */
export async function readMetrics({ url }: Measured): Promise<Record<string, number>> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  const lines = (await response.text()).matchAll(/^(oxbow_\w+|nodejs_\w+) (\S+)$/gm)
  return Object.fromEntries([...lines].map(([, name, value]) => [name, Number(value)]))
}
