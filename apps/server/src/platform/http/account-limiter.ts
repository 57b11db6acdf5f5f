import { perNode } from '../per-node.ts'
import { makeRateLimiter } from './share-counts.ts'

/** Limits the requests of each account to this machine, with one limit for endpoints and pages together. */
export const getAccountLimiter = perNode({
  name: 'recent requests of accounts',
  create: (app) => makeRateLimiter(app, 'requests of accounts', app.config.rate_limit_per_minute),
  countEntries: ({ size }) => size,
})
