import { ApiError, BotType, decode, isIdempotent } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Actor,
  ActorChanged,
  AlreadyAnswered,
  type Caller,
  type Credentials,
  type Repetition,
} from '../actor.ts'
import type { App } from '../app.ts'
import { EventStream } from '../event-stream.ts'
import { bodyLimit, readArguments, strangersBodyLimit } from './arguments.ts'
import { readBasicAuthorization } from './basic-authorization.ts'
import { type Bound, refuseUnlessAllowed } from './bind.ts'
import { clientName, knowsLegacyNames } from './client-name.ts'
import { type ContractCheck, contractCheck } from './contract-check.ts'
import { gatherPieces, successBody } from './envelope.ts'
import { acceptsEventStream, resume, sendEventStream } from './event-stream.ts'
import { resolveHost } from './host.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { readRepetition } from './repetition.ts'

/** Finds the account behind credentials, or refuses. */
export type Authenticate = (
  app: App,
  caller: Caller,
  credentials: Credentials,
  /** Fresh: not from what the node remembers. */
  options?: { isFresh: boolean },
) => Promise<Actor>

/** Answers to calls that came with an `Idempotency-Key`. */
export interface Answers {
  find(app: App, actor: Actor, repetition: Repetition): Promise<object | undefined>
  keep(app: App, actor: Actor, repetition: Repetition, answer: object): Promise<void>
}

export interface EndpointContext {
  app: App
  authenticate: Authenticate
  answers: Answers
  limiter: RateLimiter
  /** Polls come as often as events do, so they are counted apart. */
  pollLimiter: RateLimiter
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
      ...(bound.endpoint.eventStream && acceptsEventStream(request) && { wantsEventStream: true }),
    }
    const answered = await attempt(check, () => run(context, bound, caller, request, reply))
    if (answered instanceof EventStream) return sendEventStream(answered, request, reply)
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
  const identify = (isFresh = false) => identifyCaller(context, bound, caller, request, isFresh)
  let identified = await identify()
  if (isActor(identified)) {
    request.account = identified
    countRequest(context, bound, identified, reply)
  }
  if (isRefused(bound, identified)) {
    // What the node remembers of the account may be a moment old, which is no reason to turn anyone away.
    identified = await identify(true)
    allow(bound, identified)
  }
  const limit = isActor(identified) ? bodyLimit : strangersBodyLimit
  const given = await readArguments(request.raw, { limit, contentType: request.contentType })
  if (caller.wantsEventStream) resume(request, given)
  const raw = { path: request.params as Record<string, string>, arguments: given }
  const params = decode(bound.endpoint, raw, { legacyNames: caller.legacyNames })
  const client = clientName(given.get('client'), request.headers['user-agent'])
  const repetition = isIdempotent(bound.endpoint)
    ? readRepetition(app.secrets, request.headers['idempotency-key'], bound.name, params)
    : undefined
  if (repetition) return answerOnce(context, identified as Actor, repetition, act)
  return act()

  async function act(): Promise<object> {
    for (let attempts = 1; ; attempts++) {
      try {
        const caller = { ...identified, client, ...(repetition && { repetition }) }
        return await bound.action(app, caller, params as never)
      } catch (error) {
        if (!(error instanceof ActorChanged) || attempts === 5) throw error
        identified = await identify(true)
        allow(bound, identified)
      }
    }
  }
}

/** The answer is written with the change where one transaction makes it, and right after where there are several. */
async function answerOnce(
  { app, answers }: EndpointContext,
  actor: Actor,
  repetition: Repetition,
  act: () => Promise<object>,
): Promise<object> {
  try {
    const known = await answers.find(app, actor, repetition)
    if (known) return known
    const answer = await act()
    if (!repetition.isKept) await answers.keep(app, actor, repetition, answer)
    return answer
  } catch (error) {
    if (error instanceof AlreadyAnswered) return error.answer
    // It may have been refused because the first call, which was under way at the time, did what it asks for.
    const known = error instanceof ApiError ? await answers.find(app, actor, repetition) : undefined
    if (known) return known
    throw error
  }
}

async function identifyCaller(
  { app, authenticate }: EndpointContext,
  { endpoint }: Bound,
  caller: Caller,
  request: FastifyRequest,
  isFresh: boolean,
): Promise<Actor | Caller> {
  if (endpoint.auth === 'nobody') return caller
  return authenticate(app, caller, readBasicAuthorization(request.headers.authorization), { isFresh })
}

function isActor(caller: Actor | Caller): caller is Actor {
  return 'user_id' in caller
}

function isRefused(bound: Bound, caller: Actor | Caller): boolean {
  try {
    allow(bound, caller)
    return false
  } catch {
    return true
  }
}

function allow({ endpoint }: Bound, caller: Actor | Caller): void {
  if (!isActor(caller)) return
  if (caller.bot_type === BotType.incomingWebhook && !endpoint.webhookBots)
    throw new ApiError('CLOSED_TO_WEBHOOK_BOTS')
  refuseUnlessAllowed(caller, endpoint.only)
}

function countRequest(
  { limiter, pollLimiter, app }: EndpointContext,
  { endpoint }: Bound,
  actor: Actor,
  reply: FastifyReply,
): void {
  const state = (endpoint.eventStream ? pollLimiter : limiter).count(actor.user_id)
  if (!state) return
  reply.header('x-ratelimit-limit', state.limit)
  reply.header('x-ratelimit-remaining', state.remaining)
  reply.header('x-ratelimit-reset', Math.floor(state.resetsAt / 1000))
  if (state.allowed) return
  app.metrics.rateLimited.inc()
  throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': state.retryAfter / 1000 })
}
