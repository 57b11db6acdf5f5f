import { setTimeout } from 'node:timers/promises'
import { metricsToken } from '@oxbow/testkit'
import type { ProbedNode } from '../events/bench-organization.ts'
import type { Figure } from '../figures.ts'
import { processorTime } from '../messages/processor-time.ts'
import type { PresenceOrganization } from './presence-organization.ts'

interface Counters {
  node: number
  postgres: number | undefined
  answers: number
  events: number
  commits: number
}

/** Runs `report` and returns rates per minute and processor time. */
export async function measure(
  organization: PresenceOrganization,
  node: ProbedNode,
  seconds: number,
  report: () => Promise<number>,
): Promise<Figure[]> {
  const before = await read(organization, node)
  const start = performance.now()
  const reports = await report()
  const took = performance.now() - start
  const after = await read(organization, node)
  const perMinute = (count: number) => Math.round((count / took) * 60_000).toLocaleString('en')
  const share = (milliseconds: number) => `${((milliseconds / took) * 100).toFixed(0)} % of a processor`
  const postgres =
    after.postgres === undefined || before.postgres === undefined
      ? undefined
      : after.postgres - before.postgres
  return [
    { label: 'reports a minute', measured: perMinute(reports) },
    { label: 'transactions a minute', measured: perMinute(after.commits - before.commits) },
    { label: 'events a minute', measured: perMinute(after.events - before.events) },
    { label: 'answered polls a minute', measured: perMinute(after.answers - before.answers) },
    { label: 'the node', measured: share(after.node - before.node) },
    { label: 'PostgreSQL', measured: postgres === undefined ? 'cannot be seen from here' : share(postgres) },
    { label: 'went on for', measured: `${(took / 1_000).toFixed(0)} s of ${seconds}` },
  ]
}

async function read({ session, head }: PresenceOrganization, { url, probe }: ProbedNode): Promise<Counters> {
  // Waits because PostgreSQL's sessions update their statistics at most once a second.
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
