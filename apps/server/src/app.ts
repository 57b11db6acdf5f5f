import { listEndpoints } from '@oxbow/contract'
import type { FastifyInstance } from 'fastify'
import { jobs as featureJobs, features, routes } from './features.ts'
import { authenticate } from './identity/authenticate.ts'
import { idempotency } from './identity/idempotency.ts'
import type { App } from './platform/app.ts'
import { tidyFiles } from './platform/files/tidy-files.ts'
import { getAccountLimiter } from './platform/http/account-limiter.ts'
import { bind } from './platform/http/bind.ts'
import { buildHttpServer } from './platform/http/http-server.ts'
import { operationsPages, type Readiness } from './platform/http/operations.ts'
import { OpenRequests } from './platform/http/request-limits.ts'
import { makeRateLimiter } from './platform/http/share-counts.ts'
import { staticPages } from './platform/http/static-files.ts'
import type { Job } from './platform/jobs.ts'
import type { NodeMonitor } from './platform/monitor/node-monitor.ts'
import { assetRoutes } from './platform/pages/asset-routes.ts'
import { rewriteSeals } from './reseal.ts'
import { admitDelivery } from './webhooks/admit-delivery.ts'

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
  const allPages = [
    ...operationsPages(app, readiness, monitor),
    ...staticPages(),
    ...assetRoutes(),
    ...features.flatMap(({ pages }) => pages?.(app) ?? []),
  ]
  return buildHttpServer(
    {
      app,
      authenticate,
      idempotency,
      limiter,
      pollLimiter,
      openRequests,
      admitDelivery,
      databaseContact,
      checked,
    },
    bind(listEndpoints(), routes),
    allPages,
    { stallMs },
  )
}
