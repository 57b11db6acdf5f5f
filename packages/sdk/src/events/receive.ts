import type { Event } from '@oxbow/contract'
import { parseWire } from '@oxbow/contract/plain'
import { wire } from '@oxbow/contract/wire'
import { call } from '../call.ts'
import { type Caller, readResponse, request, TransportError, wrapTransportErrors } from '../request.ts'
import { Connection } from './connection.ts'
import { EventStreamParser, type ServerSentEvent } from './event-stream-parser.ts'
import type { Waker } from './waker.ts'

export type Transport = 'poll' | 'stream'

/** The state of reading a queue. */
export interface QueueReader {
  readonly caller: Caller
  readonly signal: AbortSignal
  readonly waker: Waker
  /** After this time without any bytes from the server, the connection is treated as lost. */
  readonly maxSilenceMs: number
  /** If the first byte of a stream takes longer, a proxy is assumed to buffer the stream. */
  readonly maxFirstByteMs: number
  readonly queue_id: string
  /** The highest event id received. The consumer of the events advances it. */
  last_event_id: number
  transport: Transport
  /**
   * Whether the server may be unreachable. The next poll then does not wait for events, so that its
   * response confirms the connection.
   */
  isUncertain: boolean
  /** Called when the server responds, with or without events. */
  readonly onAnswer: () => void
  /** Called when the server had no more events than those that were yielded. */
  readonly onCaughtUp: () => void
}

const poll = /* @__PURE__ */ parseWire(wire.events.poll)

/** Yields the queue's events as they arrive, until the connection ends. */
export async function* receive(reading: QueueReader): AsyncGenerator<Event[], void, void> {
  if (reading.transport === 'stream') yield* streamQueue(reading)
  // `streamQueue` changes the transport if it finds that only polls work.
  if (reading.transport === 'poll') yield* pollQueue(reading)
}

function connect({ maxSilenceMs, signal, waker }: QueueReader): Connection {
  return new Connection(maxSilenceMs, signal, waker.signal)
}

function recordAnswer(reading: QueueReader): void {
  reading.isUncertain = false
  reading.onAnswer()
}

async function* pollQueue(reading: QueueReader): AsyncGenerator<Event[], void, void> {
  const { caller, queue_id } = reading
  for (;;) {
    const connection = connect(reading)
    const { signal } = connection
    const { last_event_id, isUncertain } = reading
    const args = { queue_id, last_event_id, ...(isUncertain && { dont_block: true }) }
    const events = readEvents(await connection.waitFor(call(caller, poll, args, { signal })))
    recordAnswer(reading)
    if (events.length > 0 || !isUncertain) yield events
    if (isUncertain) reading.onCaughtUp()
  }
}

/** The reason for closing a stream whose first byte did not arrive in time. */
const heldBack = Symbol('the event stream is held back')

async function* streamQueue(reading: QueueReader): AsyncGenerator<Event[], void, void> {
  const { caller, queue_id, last_event_id, maxFirstByteMs } = reading
  const connection = connect(reading)
  const { signal } = connection
  const headers = { accept: 'text/event-stream', 'last-event-id': String(last_event_id) }
  const timer = setTimeout(() => connection.close(heldBack), maxFirstByteMs)
  const onBytes = () => {
    clearTimeout(timer)
    recordAnswer(reading)
  }
  try {
    const sent = request(caller, poll, { queue_id, last_event_id }, { signal, headers })
    const response = await connection.waitFor(sent)
    if (isEventStream(response)) {
      for await (const chunk of readEventStream(response, connection, onBytes)) {
        yield* readChunk(caller, chunk)
        // The server sends a heartbeat after the events that a new stream begins with.
        if (chunk.some(({ data }) => data === undefined)) reading.onCaughtUp()
      }
    } else {
      const events = readEvents(await connection.waitFor(readResponse(caller, response, signal)))
      onBytes()
      // A proxy without support for streams sent the response of a poll.
      reading.transport = 'poll'
      yield events
    }
  } catch (error) {
    if (error !== heldBack) throw error
    reading.transport = 'poll'
  } finally {
    clearTimeout(timer)
    connection.close()
  }
}

function isEventStream({ ok, headers }: Response): boolean {
  return ok && (headers.get('content-type') ?? '').startsWith('text/event-stream')
}

async function* readEventStream(
  { body }: Response,
  connection: Connection,
  onBytes: () => void,
): AsyncGenerator<ServerSentEvent[], void, void> {
  if (!body) return
  const parser = new EventStreamParser()
  const reader = body.getReader()
  for (;;) {
    const read = wrapTransportErrors(reader.read(), 'The stream of events broke', connection.signal)
    const { value } = await connection.waitFor(read)
    if (!value) return
    onBytes()
    yield parser.push(value)
  }
}

/** Yields the events of a chunk together. If the chunk contains an error, throws it after the events before it. */
function* readChunk({ toError }: Caller, chunk: readonly ServerSentEvent[]): Generator<Event[], void, void> {
  const errorAt = chunk.findIndex(({ type }) => type === 'error')
  const events = (errorAt < 0 ? chunk : chunk.slice(0, errorAt)).map(readEvent)
  if (events.length > 0) yield events
  if (errorAt >= 0) throw toError(parseEventData(chunk[errorAt]?.data ?? ''))
}

/** Converts a server-sent event. An id without data is a heartbeat. */
function readEvent({ id, data }: ServerSentEvent): Event {
  if (data === undefined) return { id: Number(id), type: 'heartbeat' }
  return parseEventData(data) as Event & Record<string, unknown>
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
