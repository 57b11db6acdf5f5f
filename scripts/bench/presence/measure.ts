import { setTimeout } from 'node:timers/promises'
import { metricsToken } from '@oxbow/testkit'
import type { ProbedNode } from '../events/garden.ts'
import type { Figure } from '../figures.ts'
import { processorTime } from '../messages/processor-time.ts'
import type { Office } from './office.ts'

interface Counters {
  node: number
  postgres: number | undefined
  answers: number
  events: number
  commits: number
}

/** What happens in a minute of it, and what it costs. */
export async function measure(
  office: Office,
  node: ProbedNode,
  seconds: number,
  report: () => Promise<number>,
): Promise<Figure[]> {
  const before = await read(office, node)
  const start = performance.now()
  const reports = await report()
  const took = performance.now() - start
  const after = await read(office, node)
  const perMinute = (count: number) => Math.round((count / took) * 60_000).toLocaleString('en')
  const share = (milliseconds: number) => `${((milliseconds / took) * 100).toFixed(0)} % of a processor`
  const postgres =
    after.postgres === undefined || before.postgres === undefined
      ? undefined
      : after.postgres - before.postgres
  return [
    { what: 'reports a minute', measured: perMinute(reports) },
    { what: 'transactions a minute', measured: perMinute(after.commits - before.commits) },
    { what: 'events a minute', measured: perMinute(after.events - before.events) },
    { what: 'answered polls a minute', measured: perMinute(after.answers - before.answers) },
    { what: 'the node', measured: share(after.node - before.node) },
    { what: 'PostgreSQL', measured: postgres === undefined ? 'cannot be seen from here' : share(postgres) },
    { what: 'went on for', measured: `${(took / 1_000).toFixed(0)} s of ${seconds}` },
  ]
}

async function read({ session, head }: Office, { url, probe }: ProbedNode): Promise<Counters> {
  // PostgreSQL's sessions tell what they did at most once a second.
  await setTimeout(1_200)
  const { rows } = await session.query<{ commits: number }>(
    'select xact_commit::float as commits from pg_stat_database where datname = current_database()',
  )
  const metrics = await (
    await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })
  ).text()
  const answered = /^oxbow_http_request_seconds_count\{[^}]*endpoint="events.poll"[^}]*\} (\d+)/m.exec(
    metrics,
  )
  return {
    node: await probe.cpu(),
    postgres: await processorTime(session),
    answers: Number(answered?.[1] ?? 0),
    events: await head(),
    commits: rows[0]?.commits ?? 0,
  }
}
