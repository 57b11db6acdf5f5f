import { hash, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { App } from '../app.ts'
import type { Config } from '../config/settings.ts'
import { type UnfinishedMigration, unfinishedAsJson } from '../database/background/queries.ts'
import { findIndexProblems, type IndexProblem } from '../database/check-indexes.ts'
import { explainUnavailability, standbyReason } from '../database/database-unavailable.ts'
import { requestPage } from '../doctor/request-page.ts'
import { areJobsHeld } from '../jobs/jobs-hold.ts'
import type { NodeMonitor } from '../observe/monitor/node-monitor.ts'
import type { Page } from './http-server.ts'
import { statusPage } from './status-page.ts'

/** Whether the node has lost PostgreSQL and must refuse every request. The event log knows it. */
export interface DatabaseContact {
  readonly isCutOff: boolean
  /** Whether PostgreSQL is a standby, so that the event log cannot be read. */
  readonly isStandby: boolean
}

export interface Readiness {
  /** Becomes false when the node begins to stop. */
  accepting: boolean
  databaseContact: DatabaseContact
  /** Whether indexes were missing when the node started. The node is not ready until they exist. */
  lacksIndexes?: boolean
}

/** Routes for load balancers and monitoring, and the status page for people. */
export function operationsPages(app: App, readiness: Readiness, monitor: NodeMonitor): Page[] {
  return [
    {
      path: '/health',
      name: 'health',
      anonymousLimit: 'never',
      handle: async (_request, reply) => reply.send({ status: 'ok' }),
    },
    {
      path: '/ready',
      name: 'ready',
      anonymousLimit: 'never',
      handle: async (_request, reply) => {
        const { reason, hasHeldJobs, unfinished }: DatabaseCheck = readiness.accepting
          ? await checkDatabase(app, readiness)
          : { reason: 'stopping' }
        if (reason) return reply.code(503).header('retry-after', '5').send({ status: 'not ready', reason })
        return reply.send({
          status: 'ready',
          ...(hasHeldJobs && { jobs: 'held' }),
          ...(unfinished && { background_migrations: unfinished }),
        })
      },
    },
    statusPage(monitor),
    requestPage(app, readiness),
    // Clients request this path, with any method, to test their connection.
    ...(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
      (method): Page => ({
        path: '/api/v1/generate_204',
        method,
        name: 'generate204',
        anonymousLimit: 'never',
        handle: async (_request, reply) => reply.code(204).send(),
      }),
    ),
    {
      path: '/metrics',
      name: 'metrics',
      anonymousLimit: 'never',
      handle: async (request, reply) => {
        if (!hasToken(app.config, request.headers.authorization)) {
          return reply
            .code(403)
            .type('text/plain')
            .send('Metrics are read at OXBOW_METRICS_LISTEN, or here with the token OXBOW_METRICS_TOKEN.\n')
        }
        return reply.type(app.metrics.registry.contentType).send(await app.metrics.read())
      },
    },
  ]
}

/** Describes index problems; undefined if there are none. */
function describeIndexes(problems: readonly IndexProblem[]): string | undefined {
  if (problems.length === 0) return undefined
  return `Indexes of the database: ${problems.map(({ name, state }) => `${name} is ${state}`).join(', ')}`
}

interface DatabaseCheck {
  /** The reason why requests cannot be served; undefined if they can. */
  reason?: string | undefined
  hasHeldJobs?: boolean
  /** Background migrations that are not finished; null if all are. */
  unfinished?: UnfinishedMigration[] | null
}

async function checkDatabase(app: App, readiness: Readiness): Promise<DatabaseCheck> {
  const { isCutOff, isStandby } = readiness.databaseContact
  if (isCutOff)
    return { reason: isStandby ? standbyReason : 'PostgreSQL has not answered for more than five seconds' }
  try {
    const { rows } = await sql<DatabaseCheck & { isStandby: boolean }>`
      select pg_is_in_recovery() as "isStandby", ${areJobsHeld} as "hasHeldJobs",
        ${unfinishedAsJson} as "unfinished"`.execute(app.db)
    if (rows[0]?.isStandby) return { reason: standbyReason }
    const reason = readiness.lacksIndexes ? describeIndexes(await findIndexProblems(app.db)) : undefined
    return { ...rows[0], reason }
  } catch (error) {
    return { reason: explainUnavailability(error)?.reason ?? 'PostgreSQL cannot be used' }
  }
}

/** Compares digests in constant time, so that timing reveals nothing about the token. */
function hasToken({ metrics_token }: Config, authorization = ''): boolean {
  if (metrics_token === undefined) return false
  return timingSafeEqual(
    hash('sha256', authorization, 'buffer'),
    hash('sha256', `Bearer ${metrics_token}`, 'buffer'),
  )
}
