import {
  bytesPerMebibyte,
  decode,
  type Endpoint,
  isIdempotent,
  listIgnoredParameters,
  type Params,
} from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { authenticate } from '../identity/authenticate.ts'
import { addToFingerprint, readIdempotencyKey, runIdempotently } from '../identity/idempotency.ts'
import { type Actor, type Caller, IdempotentReplay } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Handler } from '../platform/http/bind.ts'
import { type BoundEndpoint, decideCall, refuseUnlessMayCall } from '../platform/http/bind.ts'
import { acceptsEventStream, applyLastEventId } from '../platform/http/event-stream.ts'
import {
  addBrowser,
  clientName,
  readCaller,
  readExpectedUserId,
  readFileCredentials,
  readRequestCredentials,
} from '../platform/http/read-caller.ts'
import {
  anonymousBodyLimit,
  bodyLimitFor,
  type RequestInput,
  readQuery,
  readRequest,
} from '../platform/http/request-input.ts'
import { countRequest } from '../platform/http/request-limits.ts'
import { rerunIfActorChanged } from '../platform/http/rerun-action.ts'
import { StreamedForm } from '../platform/http/streamed-form.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { sendResult } from './send-result.ts'

/**
 * Returns the handler of an endpoint: authentication, rate limit, permission to call, decoding, action,
 * envelope. The protocol prescribes this order: for example, a member who calls an administrator's endpoint
 * without arguments gets the error about the permission.
 */
export const serveEndpoint = (context: EndpointContext, bound: BoundEndpoint): Handler =>
  sendResult(context, bound, (request, reply) => readCall(context, bound, request, reply).then(runCall))

/** The state of a request after it was read. Kept small, because a waiting poll retains it. */
interface Call {
  readonly context: EndpointContext
  readonly bound: BoundEndpoint
  readonly request: FastifyRequest
  readonly params: object
  caller: Actor | Caller
  /** Only present if the endpoint streams its file. */
  readonly file?: StreamedForm
}

function runCall(call: Call): Promise<object> {
  const { context, bound, caller, file } = call
  const { idempotencyKey } = caller as Partial<Actor>
  if (file) return runStreamed(call, file)
  if (!idempotencyKey) return runAction(call)
  const action = () => runAction(call)
  return runIdempotently(context.app, caller as Actor, idempotencyKey, { endpoint: bound.name, action })
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
  const { headers } = request
  const { eventStream, startsSession } = bound.endpoint
  const anonymous: Caller = {
    ...readCaller(app, request),
    ...(eventStream && acceptsEventStream(request) && { wantsEventStream: true }),
    ...(eventStream && readExpectedUserId(request)),
  }
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
    ? readIdempotencyKey(app, headers['idempotency-key'], bound, params, anonymous.generation)
    : undefined
  if (idempotencyKey) caller = { ...(caller as Actor), idempotencyKey }
  if (!file) return { context, bound, request, params, caller }
  if (idempotencyKey) file.onStored = (sha256) => addToFingerprint(app, idempotencyKey, sha256)
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

function runAction(call: Call): Promise<object> {
  const { context, bound, params, caller } = call
  const running = bound.action(context.app, caller, params as never, undefined)
  // `await` is avoided, because an async frame for each of ten thousand waiting polls would take much memory.
  return running.catch((error: unknown) => rerunIfActorChanged(error, () => rerunAction(call)))
}

/**
 * Authenticates and authorizes the request again after the actor's role changed, and reruns the
 * action.
 */
async function rerunAction(call: Call): Promise<object> {
  const { context, bound, request, params } = call
  const { client, idempotencyKey } = call.caller as Actor
  const freshCaller = await authenticateRequest(context, bound, call.caller, request, true)
  call.caller = { ...freshCaller, client, ...(idempotencyKey && { idempotencyKey }) }
  refuseUnlessAllowed(bound, call.caller)
  return bound.action(context.app, call.caller, params as never, undefined)
}

function authenticateRequest(
  { app }: EndpointContext,
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

const isRefused = ({ endpoint }: BoundEndpoint, caller: Actor | Caller): boolean =>
  isActor(caller) && !decideCall(caller, endpoint).allowed

function refuseUnlessAllowed({ endpoint }: BoundEndpoint, caller: Actor | Caller): void {
  if (isActor(caller)) refuseUnlessMayCall(caller, endpoint)
}
