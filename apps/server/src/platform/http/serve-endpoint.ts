import {
  ApiError,
  BotType,
  bytesPerMebibyte,
  decode,
  type Endpoint,
  isIdempotent,
  listIgnoredParameters,
  type Params,
} from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, type Caller, type Credentials, IdempotentReplay } from '../actor.ts'
import type { App } from '../app.ts'
import { EventStream } from '../event-stream.ts'
import { ResultWithHeaders } from '../result-with-headers.ts'
import { type BoundEndpoint, refuseUnlessMayCall } from './bind.ts'
import { type ContractCheck, makeContractCheck } from './contract-check.ts'
import type { Delivery } from './delivery.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { gatherPieces, successBody } from './envelope.ts'
import { acceptsEventStream, applyLastEventId, sendEventStream } from './event-stream.ts'
import {
  addBrowser,
  clientName,
  readCaller,
  readFileCredentials,
  readRequestCredentials,
} from './read-caller.ts'
import {
  anonymousBodyLimit,
  bodyLimitFor,
  type RequestInput,
  readQuery,
  readRequest,
} from './request-input.ts'
import { countRequest } from './request-limits.ts'
import { rerunIfActorChanged } from './rerun-action.ts'
import { StreamedForm } from './streamed-form.ts'
import { endSpan } from './trace-requests.ts'

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/**
 * Returns the handler of an endpoint: authentication, rate limit, permission to call, decoding, action,
 * envelope. The protocol prescribes this order: for example, a member who calls an administrator's endpoint
 * without arguments gets the error about the permission.
 */
export function serveEndpoint(context: EndpointContext, bound: BoundEndpoint): Handler {
  const check = context.checked ? makeContractCheck(bound) : undefined
  return async (request, reply) => {
    const running = readCall(context, bound, request, reply).then(runCall)
    const returned = await (check ? checkErrors(check, running) : running)
    if (returned instanceof EventStream) {
      // The stream lasts until the client disconnects; only its beginning is traced.
      if (request.span) endSpan(request, 200)
      return sendEventStream(returned, request, reply)
    }
    if (returned instanceof ResultWithHeaders) reply.headers(returned.headers)
    const result = returned instanceof ResultWithHeaders ? returned.fields : returned
    const gathered = check ? await gatherPieces(result) : result
    const fields = addIgnoredParameters(request, gathered)
    check?.checkResponse(fields)
    const body = successBody(fields)
    return reply.headers(successHeaders).send(body)
  }
}

function addIgnoredParameters({ ignoredParameters }: FastifyRequest, fields: object): object {
  return ignoredParameters ? { ...fields, ignored_parameters_unsupported: ignoredParameters } : fields
}

const successHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'max-age=0, no-cache, no-store, must-revalidate',
  expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
}

async function checkErrors(check: ContractCheck, running: Promise<object>): Promise<object> {
  try {
    return await running
  } catch (error) {
    check.checkError(error)
    throw error
  }
}

/** The state of a request after it was read. Kept small, because a waiting poll retains it. */
interface Call {
  readonly context: EndpointContext
  readonly bound: BoundEndpoint
  readonly request: FastifyRequest
  readonly params: object
  caller: Actor | Caller
  /** Only present for webhooks. */
  readonly webhook?: { delivery: Delivery; credentials: Credentials }
  /** Only present if the endpoint streams its file. */
  readonly file?: StreamedForm
}

function runCall(call: Call): Promise<object> {
  const { context, bound, caller, file } = call
  const { idempotencyKey } = caller as Partial<Actor>
  if (file) return runStreamed(call, file)
  if (!idempotencyKey) return runAction(call)
  const action = () => runAction(call)
  return context.idempotency.run(context.app, caller as Actor, idempotencyKey, {
    endpoint: bound.name,
    action,
  })
}

/**
 * Runs an action that reads a file. Whether the request is a retry is known only after the file was read, so
 * the action's transaction looks for the saved response.
 */
async function runStreamed(call: Call, file: StreamedForm): Promise<object> {
  try {
    return await runAction(call)
  } catch (error) {
    file.abandon()
    if (error instanceof IdempotentReplay) return error.response
    throw error
  }
}

async function readCall(
  context: EndpointContext,
  bound: BoundEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call> {
  const { app } = context
  if (context.databaseContact.isCutOff) throw new ApiError('SERVICE_UNAVAILABLE')
  const { headers } = request
  const { eventStream, startsSession } = bound.endpoint
  const anonymous: Caller = {
    ...readCaller(app, request),
    ...(eventStream && acceptsEventStream(request) && { wantsEventStream: true }),
  }
  if (bound.endpoint.auth === 'webhook') return readWebhookCall(context, bound, anonymous, request, reply)
  const identified = startsSession
    ? addBrowser(anonymous, request)
    : authenticateRequest(context, bound, anonymous, request)
  let caller: Actor | Caller = identified instanceof Promise ? await identified : identified
  if (isActor(caller)) {
    request.account = caller
    countRequest(context, bound, caller, reply)
  }
  if (isRefused(bound, caller)) {
    // The cached account may be outdated, so the refusal is confirmed with the account as stored now.
    caller = await authenticateRequest(context, bound, anonymous, request, true)
    refuseUnlessAllowed(bound, caller)
  }
  const read = isStreamed(bound.endpoint)
    ? readStreamedInput(app, request)
    : readInput(bound.endpoint, caller, request)
  const { arguments: requestArguments, files, file } = read instanceof Promise ? await read : read
  if (anonymous.wantsEventStream) applyLastEventId(request, requestArguments)
  const raw = { path: readPath(bound.endpoint, request), arguments: requestArguments, files }
  const names = { legacyNames: anonymous.legacyNames }
  const ignored = listIgnoredParameters(bound.endpoint, raw, names)
  if (ignored) request.ignoredParameters = ignored
  const params = decode(bound.endpoint, raw, names)
  if (requestArguments.has('client'))
    caller = { ...caller, client: clientName(requestArguments.get('client'), headers['user-agent']) }
  const idempotencyKey = isIdempotent(bound.endpoint)
    ? context.idempotency.readKey(app, headers['idempotency-key'], bound, params)
    : undefined
  if (idempotencyKey) caller = { ...(caller as Actor), idempotencyKey }
  if (!file) return { context, bound, request, params, caller }
  if (idempotencyKey) file.onStored = (sha256) => context.idempotency.addDigest(app, idempotencyKey, sha256)
  return { context, bound, request, params: { ...params, file }, caller, file }
}

/** The input of a request; with `file` if the endpoint streams its file. */
type CallInput = RequestInput & { file?: StreamedForm | undefined }

function readInput(
  { files: rule }: Endpoint,
  caller: Actor | Caller,
  request: FastifyRequest,
): CallInput | Promise<CallInput> {
  const wholeFiles = rule?.streamed ? undefined : rule
  const limit = isActor(caller) ? bodyLimitFor(wholeFiles) : anonymousBodyLimit
  return readRequest(request.raw, { limit, contentType: request.contentType, rule: wholeFiles })
}

/** Reads the input up to the file. Fields take precedence over the query. */
async function readStreamedInput({ config }: App, request: FastifyRequest): Promise<CallInput> {
  request.isStreamed = true
  const file = new StreamedForm(request.raw, {
    contentType: request.contentType,
    maxBytes: config.max_upload_mib * bytesPerMebibyte,
  })
  const found = readQuery(request.raw)
  for (const [name, value] of await file.open()) found.set(name, value)
  return { arguments: found, files: [], file }
}

const isStreamed = ({ files }: Endpoint): boolean => files?.streamed === true

/**
 * Returns the parameters of the path. The router gives the parameter that may contain slashes the name `*`.
 */
function readPath({ params }: Endpoint, { params: found }: FastifyRequest): Record<string, string> {
  const values = found as Record<string, string>
  if (values['*'] === undefined) return values
  const rest = Object.keys(params).find((name) => (params as Params)[name]?.isRest)
  return { ...values, [rest ?? '*']: values['*'] }
}

/**
 * Reads a webhook request, whose key may be in the body and whose body has no declared parameters.
 */
async function readWebhookCall(
  context: EndpointContext,
  bound: BoundEndpoint,
  anonymous: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Call> {
  const { caller, credentials, delivery } = await context.admitDelivery(
    request,
    async (deliveryCredentials) => {
      const bot = await context.authenticate(context.app, anonymous, deliveryCredentials)
      request.account = bot
      countRequest(context, bound, bot, reply)
      if (!isRefused(bound, bot)) return bot
      const freshActor = await context.authenticate(context.app, anonymous, deliveryCredentials, {
        isFresh: true,
      })
      refuseUnlessAllowed(bound, freshActor)
      return freshActor
    },
  )
  if (!delivery)
    return { context, bound: { ...bound, action: async () => ({}) }, request, params: {}, caller }
  const requestArguments = new Map([...delivery.query, ...delivery.form])
  const path = request.params as Record<string, string>
  const params = decode(bound.endpoint, { path, arguments: requestArguments }, {})
  return { context, bound, request, params, caller, webhook: { delivery, credentials } }
}

function runAction(call: Call): Promise<object> {
  const { context, bound, params, caller, webhook } = call
  const running = bound.action(context.app, caller, params as never, webhook?.delivery)
  // `await` is avoided, because an async frame for each of ten thousand waiting polls would take much memory.
  return running.catch((error: unknown) => rerunIfActorChanged(error, () => rerunAction(call)))
}

/**
 * Authenticates and authorizes the request again after the actor's role changed, and reruns the
 * action.
 */
async function rerunAction(call: Call): Promise<object> {
  const { context, bound, request, params, webhook } = call
  const { client, idempotencyKey } = call.caller as Actor
  const freshCaller = webhook
    ? await context.authenticate(context.app, call.caller, webhook.credentials, { isFresh: true })
    : await authenticateRequest(context, bound, call.caller, request, true)
  call.caller = { ...freshCaller, client, ...(idempotencyKey && { idempotencyKey }) }
  refuseUnlessAllowed(bound, call.caller)
  return bound.action(context.app, call.caller, params as never, webhook?.delivery)
}

function authenticateRequest(
  { app, authenticate }: EndpointContext,
  { endpoint }: BoundEndpoint,
  caller: Caller,
  request: FastifyRequest,
  isFresh = false,
): Actor | Caller | Promise<Actor> {
  if (endpoint.auth === 'nobody') return caller
  const readCredentials = endpoint.takesKeyInUrl ? readFileCredentials : readRequestCredentials
  return authenticate(app, caller, readCredentials(caller, request), { isFresh })
}

function isActor(caller: Actor | Caller): caller is Actor {
  return 'user_id' in caller
}

function isRefused(bound: BoundEndpoint, caller: Actor | Caller): boolean {
  try {
    refuseUnlessAllowed(bound, caller)
    return false
  } catch {
    return true
  }
}

function refuseUnlessAllowed({ endpoint }: BoundEndpoint, caller: Actor | Caller): void {
  if (!isActor(caller)) return
  if (endpoint.auth === 'webhook' && caller.bot_type !== BotType.incomingWebhook)
    throw new ApiError('ONLY_FOR_WEBHOOK_BOTS')
  refuseUnlessMayCall(caller, endpoint)
}
