import { api, type Event } from '@oxbow/contract'
import { call } from '../call.ts'
import {
  type ClientOptions,
  readResponse,
  remoteError,
  request,
  TransportError,
  wrapTransportErrors,
} from '../request.ts'
import { Connection } from './connection.ts'
import { EventStreamParser, type ServerSentEvent } from './event-stream-parser.ts'

export type Transport = 'poll' | 'stream'

/** The state of reading a queue. */
export interface QueueReader {
  readonly options: ClientOptions
  readonly signal: AbortSignal
  /** The connection counts as lost after this time without any bytes from the server. */
  readonly maxSilenceMs: number
  readonly queue_id: string
  /** The highest event id received; the consumer of the events advances it. */
  last_event_id: number
  transport: Transport
}

const { poll } = api.events

/** Yields the queue's events as they arrive, until the connection ends. */
export function receive(reading: QueueReader): AsyncGenerator<Event[], void, void> {
  return reading.transport === 'stream' ? streamQueue(reading) : pollQueue(reading)
}

async function* pollQueue(reading: QueueReader): AsyncGenerator<Event[], void, void> {
  const { options, queue_id, maxSilenceMs } = reading
  for (;;) {
    const connection = new Connection(maxSilenceMs, reading.signal)
    const { signal } = connection
    const { last_event_id } = reading
    yield readEvents(await connection.waitFor(call(options, poll, { queue_id, last_event_id }, { signal })))
  }
}

async function* streamQueue(reading: QueueReader): AsyncGenerator<Event[], void, void> {
  const { options, queue_id, last_event_id, maxSilenceMs } = reading
  const connection = new Connection(maxSilenceMs, reading.signal)
  const { signal } = connection
  const headers = { accept: 'text/event-stream', 'last-event-id': String(last_event_id) }
  try {
    const sent = request(options, poll, { queue_id, last_event_id }, { signal, headers })
    const response = await connection.waitFor(sent)
    if (isEventStream(response)) {
      for await (const sent of readEventStream(response, connection)) yield [readEvent(sent)]
    } else {
      const events = readEvents(await connection.waitFor(readResponse(response, signal)))
      // Something between us and the server knows no streams, and what came is the answer to a
      // poll.
      reading.transport = 'poll'
      yield events
    }
  } finally {
    connection.close()
  }
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && (headers.get('content-type') ?? '').startsWith('text/event-stream')
}

async function* readEventStream(
  { body }: Response,
  connection: Connection,
): AsyncGenerator<ServerSentEvent, void, void> {
  if (!body) return
  const parser = new EventStreamParser()
  const reader = body.getReader()
  for (;;) {
    const read = wrapTransportErrors(reader.read(), 'The stream of events broke', connection.signal)
    const { value } = await connection.waitFor(read)
    if (!value) return
    yield* parser.push(value)
  }
}

/**
 * Turns a server-sent event into an event; an id without data is a heartbeat. Throws errors sent in
 * the stream.
 */
function readEvent({ id, type, data }: ServerSentEvent): Event {
  if (data === undefined) return { id: Number(id), type: 'heartbeat' }
  const parsed = parseEventData(data)
  if (type === 'error') throw remoteError(parsed)
  return parsed as Event & Record<string, unknown>
}

function parseEventData(data: string): Record<string, unknown> {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new TransportError('The stream of events is not readable', { cause })
  }
}

function readEvents(answer: object): Event[] {
  return (answer as { events: Event[] }).events
}
