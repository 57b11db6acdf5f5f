import { ApiError } from '@oxbow/contract'
import type { FastifyReply } from 'fastify'
import type { Actor } from '../actor.ts'
import type { App } from '../app.ts'
import type { BoundEndpoint } from './bind.ts'
import type { EndpointContext } from './endpoint-context.ts'
import type { RateLimitState } from './request-limits.ts'

/**
 * Counts a request against the rate limit of its account and sets the `X-RateLimit` headers; throws
 * above the limit.
 */
export function countRequest(
  { limiter, pollLimiter, openRequests, app }: EndpointContext,
  { endpoint }: BoundEndpoint,
  actor: Actor,
  reply: FastifyReply,
): void {
  const { request } = reply
  if (!request.isCountedOpen) {
    openRequests.add(actor.user_id, reply.raw)
    request.isCountedOpen = true
  }
  const state = (endpoint.eventStream ? pollLimiter : limiter).count(actor.user_id)
  if (!state) return
  reply.header('x-ratelimit-limit', state.limit)
  reply.header('x-ratelimit-remaining', state.remaining)
  reply.header('x-ratelimit-reset', Math.floor(state.resetsAt / 1000))
  refuseAboveLimit(app, state)
}

/** Throws if the limiter's state shows that the counted request is above the limit. */
export function refuseAboveLimit({ metrics }: Pick<App, 'metrics'>, state: RateLimitState | undefined): void {
  if (!state || state.allowed) return
  metrics.rateLimited.inc()
  throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': state.retryAfter / 1000 })
}
