import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { EventStream } from '../platform/event-stream.ts'
import type { BoundEndpoint } from '../platform/http/bind.ts'
import type { Handler } from '../platform/http/dispatch.ts'
import { sendEventStream } from '../platform/http/event-stream.ts'
import { endSpan } from '../platform/http/trace-requests.ts'
import { ResultWithHeaders } from '../platform/result-with-headers.ts'
import { type ContractCheck, makeContractCheck } from './contract-check.ts'
import type { EndpointContext } from './endpoint-context.ts'
import { gatherPieces, successBody } from './envelope.ts'

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
