import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream, StreamedEvent } from '../event-stream.ts'
import { errorBody } from './error-body.ts'
import type { Arguments } from './request-input.ts'

export function acceptsEventStream({ method, headers: { accept } }: FastifyRequest): boolean {
  return method === 'GET' && (accept?.includes('text/event-stream') ?? false)
}

/**
 * Replaces the cursor by the `Last-Event-ID` header, because a reconnecting browser repeats the first URL.
 */
export function applyLastEventId({ headers }: FastifyRequest, requestArguments: Arguments): void {
  const last = headers['last-event-id']
  if (typeof last === 'string' && last !== '') requestArguments.set('last_event_id', last)
}

/** Sends events as they arrive, no faster than the client reads, until it disconnects. */
export async function sendEventStream(
  stream: EventStream,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const disconnection = new AbortController()
  const { raw } = reply
  raw.on('close', () => disconnection.abort())
  reply.hijack()
  // The client has already disconnected, and `close` will not be emitted again.
  if (raw.destroyed) return reply
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  })
  raw.write('retry: 1000\n\n')
  try {
    for await (const event of stream.open(disconnection.signal)) {
      if (!raw.write(format(event))) await once(raw, 'drain', { signal: disconnection.signal })
    }
  } catch (error) {
    if (!disconnection.signal.aborted) raw.write(formatError(error, request))
  }
  raw.end()
  return reply
}

function format({ id, data }: StreamedEvent): string {
  // Serialized JSON has no line breaks, so the data is one line.
  return data === undefined ? `id: ${id}\n: still here\n\n` : `id: ${id}\ndata: ${data}\n\n`
}

/** Formats the last event of a failed stream. The client's next request gets the same error. */
function formatError(error: unknown, request: FastifyRequest): string {
  if (!(error instanceof ApiError))
    request.log.error({ request_id: request.id, err: error }, 'an event stream broke')
  const refusal = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR')
  return `event: error\ndata: ${JSON.stringify(errorBody(refusal, request))}\n\n`
}
