import { type IncomingMessage, request } from 'node:http'
import { EventStreamParser, type ServerSentEvent } from '@oxbow/sdk'
import { basic } from './http.ts'

/** A connection for server-sent events that reads from the socket only while `next` waits. */
export interface EventSource extends AsyncDisposable {
  readonly status: number
  readonly contentType: string
  /**
   * Waits for the next event. Returns undefined if the server ended the stream. Skips the heartbeat that
   * follows the events with which a stream begins.
   */
  next(): Promise<ServerSentEvent | undefined>
  close(): void
}

export interface EventSourceOptions {
  credentials?: { email: string; api_key: string }
  query: Record<string, string | number>
  headers?: Record<string, string>
}

export async function openEventStream(
  base: string,
  { credentials, query, headers = {} }: EventSourceOptions,
): Promise<EventSource> {
  const parameters = Object.entries(query).map(([name, value]) => [name, String(value)])
  const sent = request(`${base}/api/v1/events?${new URLSearchParams(parameters)}`, {
    headers: {
      ...(credentials && { authorization: basic(credentials) }),
      accept: 'text/event-stream',
      ...headers,
    },
  })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve).on('error', reject).end()
  })
  const events = readEvents(response)
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'] ?? '',
    next: async () => (await events.next()).value,
    close: () => sent.destroy(),
    async [Symbol.asyncDispose]() {
      sent.destroy()
    },
  }
}

async function* readEvents(response: IncomingMessage): AsyncGenerator<ServerSentEvent, undefined> {
  const parser = new EventStreamParser()
  let isCaughtUp = false
  for await (const chunk of response)
    for (const event of parser.push(chunk)) {
      if (isCaughtUp || event.data !== undefined) yield event
      else isCaughtUp = true
    }
  return undefined
}
