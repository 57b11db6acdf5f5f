import { perNode } from '../per-node.ts'
import { RateLimiter } from './request-limits.ts'

/** Limits the requests of an account to this node. Endpoints and pages count together. */
export const getAccountLimiter = perNode({
  name: 'recent requests of accounts',
  create: ({ config }) => new RateLimiter(config.rate_limit_per_minute),
  countEntries: ({ size }) => size,
})
