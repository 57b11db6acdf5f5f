import { listEndpoints } from '@oxbow/contract'
import type { FastifyInstance } from 'fastify'
import { endpointRoutes } from './api/endpoint-routes.ts'
import { jobs as featureJobs, features, routes } from './features.ts'
import { rewriteSeals } from './operators/rewrite-seals.ts'
import type { App } from './platform/app.ts'
import { tidyFiles } from './platform/files/tidy-files.ts'
import { getAccountLimiter } from './platform/http/account-limiter.ts'
import { bind } from './platform/http/bind.ts'
import { buildHttpServer } from './platform/http/http-server.ts'
import { operationsPages, type Readiness } from './platform/http/operations.ts'
import { OpenRequests } from './platform/http/request-limits.ts'
import { makeRateLimiter } from './platform/http/share-counts.ts'
import { staticPages } from './platform/http/static-files.ts'
import type { Job } from './platform/jobs/jobs.ts'
import type { NodeMonitor } from './platform/observe/monitor/node-monitor.ts'
import { assetRoutes } from './platform/pages/asset-routes.ts'

export const jobs: readonly Job<never>[] = [...featureJobs, tidyFiles, rewriteSeals]

export interface HttpOptions {
  readiness: Readiness
  monitor: NodeMonitor
  /** Checks every response against the contract. */
  checked: boolean
  /** Milliseconds for which a client may leave a response unread. */
  stallMs?: number | undefined
}

/** Builds the HTTP server from platform and features. */
export function buildApp(app: App, { readiness, monitor, checked, stallMs }: HttpOptions): FastifyInstance {
  const { rate_limit_per_minute: limit } = app.config
  const limiter = getAccountLimiter(app)
  const pollLimiter = makeRateLimiter(app, 'polls of accounts', limit * 10)
  const { databaseContact } = readiness
  const openRequests = new OpenRequests(app.config.connections_per_account)
  const context = { app, limiter, pollLimiter, openRequests, databaseContact, checked }
  const pages = [
    ...operationsPages(app, readiness, monitor),
    ...staticPages(),
    ...assetRoutes(),
    ...features.flatMap((feature) => feature.pages?.(app) ?? []),
  ].map((page) => ({ method: 'GET' as const, ...page }))
  return buildHttpServer(app, [...endpointRoutes(context, bind(listEndpoints(), routes)), ...pages], {
    stallMs,
  })
}
