import { ApiError, BotType, decode, isIdempotent, listIgnoredParameters } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Actor,
  ActorChanged,
  type Caller,
  type Credentials,
  type IdempotencyKey,
  IdempotentReplay,
} from '../actor.ts'
import type { App } from '../app.ts'
import type { Delivery } from '../delivery.ts'
import { EventStream } from '../event-stream.ts'
import { bodyLimitFor, readRequest, strangersBodyLimit } from './arguments.ts'
import { readBasicAuthorization } from './basic-authorization.ts'
import { type Bound, refuseUnlessMayCall } from './bind.ts'
import { clientName, readLegacyNames } from './client-name.ts'
import { type ContractCheck, contractCheck } from './contract-check.ts'
import { countRequest } from './count-request.ts'
import { gatherPieces, successBody } from './envelope.ts'
import { acceptsEventStream, resume, sendEventStream } from './event-stream.ts'
import { resolveRequest } from './host.ts'
import { readIdempotencyKey } from './idempotency-key.ts'
import type { OpenRequests } from './open-requests.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { admitDelivery } from './read-delivery.ts'

/** Finds the account behind credentials, or refuses. */
export type Authenticate = (
  app: App,
  caller: Caller,
  credentials: Credentials,
  /** Fresh: not from what the node remembers. */
  options?: { isFresh: boolean },
) => Actor | Promise<Actor>

/** Answers to calls that came with an `Idempotency-Key`. */
export interface IdempotentResponses {
  find(app: App, actor: Actor, idempotencyKey: IdempotencyKey): Promise<object | undefined>
  save(app: App, actor: Actor, idempotencyKey: IdempotencyKey, answer: object): Promise<void>
}

export interface EndpointContext {
  app: App
  authenticate: Authenticate
  idempotentResponses: IdempotentResponses
  limiter: RateLimiter
  /** Polls come as often as events do, so they are counted apart. */
  pollLimiter: RateLimiter
  openRequests: OpenRequests
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
    const running = readCall(context, bound, request, reply).then(answer)
    const answered = await (check ? attempt(check, running) : running)
    if (answered instanceof EventStream) return sendEventStream(answered, request, reply)
    const gathered = check ? await gatherPieces(answered) : answered
    const fields = nameIgnored(request, gathered)
    check?.reply(fields)
    const body = successBody(fields)
    return reply.headers(successHeaders).send(body)
  }
}

function nameIgnored({ ignoredParameters }: FastifyRequest, fields: object): object {
  return ignoredParameters ? { ...fields, ignored_parameters_unsupported: ignoredParameters } : fields
}

const successHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
}

async function attempt(check: ContractCheck, running: Promise<object>): Promise<object> {
  try {
    return await running
  } catch (error) {
    check.raised(error)
    throw error
  }
}

/** What is left of a request once it was read. A poll keeps it for as long as it waits, so it is little. */
interface Call {
  readonly context: EndpointContext
  readonly bound: Bound
  readonly request: FastifyRequest
  readonly params: object
  caller: Actor | Caller
  /** What another service sent, and the key that it came with. */
  readonly webhook?: { delivery: Delivery; credentials: Credentials }
}

function answer(call: Call): Promise<object> {
  const { idempotencyKey } = call.caller as Partial<Actor>
  return idempotencyKey ? runIdempotently(call, idempotencyKey) : act(call)
}

async function readCall(
  context: EndpointContext,
  bound: Bound,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call> {
  const { app } = context
  if (app.events.log.isCutOff) throw new ApiError('SERVICE_UNAVAILABLE')
  const { headers } = request
  const { eventStream } = bound.endpoint
  const stranger: Caller = {
    ...resolveRequest(app.config, request),
    address: request.ip,
    client: clientName(undefined, headers['user-agent']),
    ...readLegacyNames(app.config, headers['user-agent']),
    ...(eventStream && acceptsEventStream(request) && { wantsEventStream: true }),
  }
  if (bound.endpoint.auth === 'webhook') return readWebhookCall(context, bound, stranger, request, reply)
  const identified = identify(context, bound, stranger, request)
  let caller: Actor | Caller = identified instanceof Promise ? await identified : identified
  if (isActor(caller)) {
    request.account = caller
    countRequest(context, bound, caller, reply)
  }
  if (isRefused(bound, caller)) {
    // What the node remembers of the account may be a moment old, which is no reason to turn anyone away.
    caller = await identify(context, bound, stranger, request, true)
    allow(bound, caller)
  }
  const { files: rule } = bound.endpoint
  const limit = isActor(caller) ? bodyLimitFor(rule) : strangersBodyLimit
  const read = readRequest(request.raw, { limit, contentType: request.contentType, rule })
  const { arguments: given, files } = read instanceof Promise ? await read : read
  if (stranger.wantsEventStream) resume(request, given)
  const raw = { path: request.params as Record<string, string>, arguments: given, files }
  const names = { legacyNames: stranger.legacyNames }
  const ignored = listIgnoredParameters(bound.endpoint, raw, names)
  if (ignored) request.ignoredParameters = ignored
  const params = decode(bound.endpoint, raw, names)
  if (given.has('client'))
    caller = { ...caller, client: clientName(given.get('client'), headers['user-agent']) }
  const idempotencyKey = isIdempotent(bound.endpoint)
    ? readIdempotencyKey(app.secrets, headers['idempotency-key'], bound.name, params)
    : undefined
  if (idempotencyKey) caller = { ...(caller as Actor), idempotencyKey }
  return { context, bound, request, params, caller }
}

/** Whose it is may stand in the body, and the body is no list of parameters. */
async function readWebhookCall(
  context: EndpointContext,
  bound: Bound,
  stranger: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call> {
  const { caller, credentials, delivery } = await admitDelivery(request, async (given) => {
    const bot = await context.authenticate(context.app, stranger, given)
    request.account = bot
    countRequest(context, bound, bot, reply)
    if (!isRefused(bound, bot)) return bot
    const again = await context.authenticate(context.app, stranger, given, { isFresh: true })
    allow(bound, again)
    return again
  })
  if (!delivery)
    return { context, bound: { ...bound, action: async () => ({}) }, request, params: {}, caller }
  const given = new Map([...delivery.query, ...delivery.form])
  const path = request.params as Record<string, string>
  const params = decode(bound.endpoint, { path, arguments: given }, {})
  return { context, bound, request, params, caller, webhook: { delivery, credentials } }
}

function act(call: Call, attempt = 1): Promise<object> {
  const { context, bound, params, caller, webhook } = call
  // Without `await`: what a poll keeps while it waits is paid ten thousand times.
  return bound.action(context.app, caller, params as never, webhook?.delivery).catch((error: unknown) => {
    if (!(error instanceof ActorChanged) || attempt === 5) throw error
    return actAgain(call, attempt + 1)
  })
}

/** Whoever's role changed meanwhile is looked at again, and so is whether they may. */
async function actAgain(call: Call, attempt: number): Promise<object> {
  const { context, bound, request } = call
  const { client, idempotencyKey } = call.caller as Actor
  const again = call.webhook
    ? await context.authenticate(context.app, call.caller, call.webhook.credentials, { isFresh: true })
    : await identify(context, bound, call.caller, request, true)
  call.caller = { ...again, client, ...(idempotencyKey && { idempotencyKey }) }
  allow(bound, call.caller)
  return act(call, attempt)
}

/** The answer is written with the change where one transaction makes it, and right after where there are several. */
async function runIdempotently(call: Call, idempotencyKey: IdempotencyKey): Promise<object> {
  const { app, idempotentResponses } = call.context
  const actor = call.caller as Actor
  try {
    const known = await idempotentResponses.find(app, actor, idempotencyKey)
    if (known) return known
    const answer = await act(call)
    if (!idempotencyKey.isSaved) await saveResponse(call, actor, idempotencyKey, answer)
    return answer
  } catch (error) {
    if (error instanceof IdempotentReplay) return error.response
    // It may have been refused because the first call, which was under way at the time, did what it asks for.
    const known =
      error instanceof ApiError ? await idempotentResponses.find(app, actor, idempotencyKey) : undefined
    if (known) return known
    throw error
  }
}

/** Never fails: the change was committed, and a caller that saw an error would ask for it again. */
async function saveResponse(
  { context: { app, idempotentResponses }, bound }: Call,
  actor: Actor,
  idempotencyKey: IdempotencyKey,
  answer: object,
): Promise<void> {
  await idempotentResponses
    .save(app, actor, idempotencyKey, answer)
    .catch((err: unknown) =>
      app.log.warn(
        { err, endpoint: bound.name },
        'an answer could not be kept; a retry with the same Idempotency-Key would repeat the change',
      ),
    )
}

function identify(
  { app, authenticate }: EndpointContext,
  { endpoint }: Bound,
  caller: Caller,
  { headers }: FastifyRequest,
  isFresh = false,
): Actor | Caller | Promise<Actor> {
  if (endpoint.auth === 'nobody') return caller
  return authenticate(app, caller, readBasicAuthorization(headers.authorization), { isFresh })
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
  if (endpoint.auth === 'webhook' && caller.bot_type !== BotType.incomingWebhook)
    throw new ApiError('ONLY_FOR_WEBHOOK_BOTS')
  refuseUnlessMayCall(caller, endpoint)
}
