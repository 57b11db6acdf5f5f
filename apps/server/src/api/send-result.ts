import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EventStream } from '../platform/event-stream.ts'
import type { BoundEndpoint, Handler } from '../platform/http/bind.ts'
import { sendEventStream } from '../platform/http/event-stream.ts'
import { endSpan } from '../platform/http/trace-requests.ts'
import { JsonText, type Pieces } from '../platform/pieces.ts'
import { ResultWithHeaders } from '../platform/result-with-headers.ts'
import { type ContractCheck, makeContractCheck } from './contract-check.ts'
import type { EndpointContext } from './endpoint-context.ts'

/** Returns a handler that runs the endpoint and sends its result in an envelope, or as an event stream. */
export function sendResult(
  context: EndpointContext,
  bound: BoundEndpoint,
  run: (request: FastifyRequest, reply: FastifyReply) => Promise<object>,
): Handler {
  const check = context.checked ? makeContractCheck(bound) : undefined
  return async (request, reply) => {
    if (context.databaseContact.isCutOff) throw new ApiError('SERVICE_UNAVAILABLE')
    const running = run(request, reply)
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

/**
 * Longer lists are serialized in slices, so that a large response does not block the event loop.
 */
const itemsPerSlice = 500

export function successBody(fields: object): string | Readable {
  let hasText = false
  for (const value of Object.values(fields)) {
    if (isLarge(value)) return Readable.from(write(fields), { objectMode: false })
    hasText ||= value instanceof JsonText
  }
  if (hasText) return joinFields(fields)
  const cached = frozenBodies.get(fields)
  if (cached) return cached
  const body = `${JSON.stringify({ result: 'success', msg: '', ...fields })}\n`
  if (Object.isFrozen(fields)) frozenBodies.set(fields, body)
  return body
}

/** Serialized bodies of frozen results. They can be cached because a frozen result never changes. */
const frozenBodies = new WeakMap<object, string>()

function isLarge(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > itemsPerSlice
  return value instanceof JsonText ? value.pieces.length > 1 : isInPieces(value)
}

function joinFields(fields: object): string {
  let body = '{"result":"success","msg":""'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    body += `,"${name}":${value instanceof JsonText ? value.pieces[0] : JSON.stringify(value)}`
  }
  return `${body}}\n`
}

/** Returns the result with all pieces joined into whole lists. */
export async function gatherPieces(fields: object): Promise<object> {
  const gathered = Object.entries(fields).map(async ([name, value]) => [
    name,
    value instanceof JsonText
      ? JSON.parse(value.pieces.join(''))
      : isInPieces(value)
        ? (await Array.fromAsync(value)).flat()
        : value,
  ])
  return Object.fromEntries(await Promise.all(gathered))
}

function isInPieces(value: unknown): value is Pieces<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

async function* write(fields: object): AsyncGenerator<string | Buffer> {
  yield '{"result":"success","msg":""'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    yield `,${JSON.stringify(name)}:`
    if (value instanceof JsonText) yield* value.pieces
    else if (isInPieces(value)) yield* writeList(value)
    else if (Array.isArray(value)) yield* writeList([value])
    else yield JSON.stringify(value)
  }
  yield '}\n'
}

async function* writeList(pieces: AsyncIterable<readonly unknown[]> | unknown[][]): AsyncGenerator<string> {
  let opening = '['
  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += itemsPerSlice) {
      yield opening + JSON.stringify(piece.slice(start, start + itemsPerSlice)).slice(1, -1)
      opening = ','
      await setImmediate()
    }
  }
  yield opening === '[' ? '[]' : ']'
}
