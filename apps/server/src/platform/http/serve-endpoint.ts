import { ApiError, BotType, decode } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, ActorChanged, type Caller, type Credentials } from '../actor.ts'
import type { App } from '../app.ts'
import { bodyLimit, readArguments, strangersBodyLimit } from './arguments.ts'
import { readBasicAuthorization } from './basic-authorization.ts'
import { type Bound, refuseUnlessAllowed } from './bind.ts'
import { clientName, knowsLegacyNames } from './client-name.ts'
import { type ContractCheck, contractCheck } from './contract-check.ts'
import { gatherPieces, successBody } from './envelope.ts'
import { resolveHost } from './host.ts'
import type { RateLimiter } from './rate-limiter.ts'

/** Finds the account behind credentials, or refuses. */
export type Authenticate = (app: App, caller: Caller, credentials: Credentials) => Promise<Actor>

export interface EndpointContext {
  app: App
  authenticate: Authenticate
  limiter: RateLimiter
  /** Hold answers against the contract. */
  checked: boolean
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * The one way of a request through an endpoint: credentials, rate limit, who may call, decoding, action, envelope.
 * The order is the protocol's: a member who calls an administrator's endpoint without arguments hears of the former.
 */
export function serveEndpoint(context: EndpointContext, bound: Bound): Handler {
  const check = context.checked ? contractCheck(bound) : undefined
  return async (request, reply) => {
    const { 'user-agent': userAgent } = request.headers
    const caller: Caller = {
      ...resolveHost(context.app.config, request.headers.host),
      client: clientName(undefined, userAgent),
      legacyNames: knowsLegacyNames(context.app.config, userAgent),
    }
    const answered = await attempt(check, () => run(context, bound, caller, request, reply))
    const fields = check ? await gatherPieces(answered) : answered
    check?.reply(fields)
    const body = successBody(fields)
    return reply.headers(noStore).type('application/json').send(body)
  }
}

const noStore = {
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
}

async function attempt(check: ContractCheck | undefined, work: () => Promise<object>): Promise<object> {
  try {
    return await work()
  } catch (error) {
    check?.raised(error)
    throw error
  }
}

async function run(
  context: EndpointContext,
  bound: Bound,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<object> {
  const { app } = context
  const identify = () => identifyCaller(context, bound, caller, request)
  let identified = await identify()
  if (isActor(identified)) {
    request.account = identified
    countRequest(context, identified, reply)
  }
  allow(bound, identified)
  const limit = isActor(identified) ? bodyLimit : strangersBodyLimit
  const given = await readArguments(request.raw, { limit, contentType: request.contentType })
  const raw = { path: request.params as Record<string, string>, arguments: given }
  const params = decode(bound.endpoint, raw, { legacyNames: caller.legacyNames })
  const client = clientName(given.get('client'), request.headers['user-agent'])
  for (let attempts = 1; ; attempts++) {
    try {
      return await bound.action(app, { ...identified, client }, params as never)
    } catch (error) {
      if (!(error instanceof ActorChanged) || attempts === 5) throw error
      identified = await identify()
      allow(bound, identified)
    }
  }
}

async function identifyCaller(
  { app, authenticate }: EndpointContext,
  { endpoint }: Bound,
  caller: Caller,
  request: FastifyRequest,
): Promise<Actor | Caller> {
  if (endpoint.auth === 'nobody') return caller
  return authenticate(app, caller, readBasicAuthorization(request.headers.authorization))
}

function isActor(caller: Actor | Caller): caller is Actor {
  return 'user_id' in caller
}

function allow({ endpoint }: Bound, caller: Actor | Caller): void {
  if (!isActor(caller)) return
  if (caller.bot_type === BotType.incomingWebhook && !endpoint.webhookBots)
    throw new ApiError('CLOSED_TO_WEBHOOK_BOTS')
  refuseUnlessAllowed(caller, endpoint.only)
}

function countRequest({ limiter, app }: EndpointContext, actor: Actor, reply: FastifyReply): void {
  const state = limiter.count(actor.user_id)
  if (!state) return
  reply.header('x-ratelimit-limit', state.limit)
  reply.header('x-ratelimit-remaining', state.remaining)
  reply.header('x-ratelimit-reset', Math.floor(state.resetsAt / 1000))
  if (state.allowed) return
  app.metrics.rateLimited.inc()
  throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': state.retryAfter / 1000 })
}
