import { once } from 'node:events'
import type { OutgoingHttpHeaders } from 'node:http'
import { ApiError } from '@oxbow/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EventStream, StreamedEvent } from '../event-stream.ts'
import type { Arguments } from './body.ts'

export function acceptsEventStream({ method, headers: { accept } }: FastifyRequest): boolean {
  return method === 'GET' && (accept?.includes('text/event-stream') ?? false)
}

/** A browser that connects again says where it was in a header, and the URL still says where it began. */
export function resume({ headers }: FastifyRequest, given: Arguments): void {
  const last = headers['last-event-id']
  if (typeof last === 'string' && last !== '') given.set('last_event_id', last)
}

/** Writes events as they come, no faster than the client reads them, until it leaves. */
export async function sendEventStream(
  stream: EventStream,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const leaving = new AbortController()
  const { raw } = reply
  raw.on('close', () => leaving.abort())
  reply.hijack()
  // Someone in a hurry: nobody will say again that they left.
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
    for await (const event of stream.open(leaving.signal)) {
      if (!raw.write(format(event))) await once(raw, 'drain', { signal: leaving.signal })
    }
  } catch (error) {
    if (!leaving.signal.aborted) raw.write(formatError(error, request))
  }
  raw.end()
  return reply
}

function format({ id, data }: StreamedEvent): string {
  // JSON has no line breaks of its own, so the data is one line.
  return data === undefined ? `id: ${id}\n: still here\n\n` : `id: ${id}\ndata: ${data}\n\n`
}

/** The stream ends; the client's next request is refused with the same error. */
function formatError(error: unknown, request: FastifyRequest): string {
  if (!(error instanceof ApiError))
    request.log.error({ request_id: request.id, err: error }, 'an event stream broke')
  const { body } = error instanceof ApiError ? error : new ApiError('INTERNAL_ERROR')
  return `event: error\ndata: ${JSON.stringify(body)}\n\n`
}
