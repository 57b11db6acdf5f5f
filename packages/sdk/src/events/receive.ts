import { api, type Event } from '@oxbow/contract'
import { call } from '../call.ts'
import { type ClientOptions, orBroken, readAnswer, remoteError, request, TransportError } from '../request.ts'
import { Connection } from './connection.ts'
import { EventStreamParser, type ServerSentEvent } from './event-stream-parser.ts'

export type Transport = 'poll' | 'stream'

/** A queue and how it is read. */
export interface Reading {
  readonly options: ClientOptions
  readonly signal: AbortSignal
  /** How long the server may be silent, in milliseconds. */
  readonly silence: number
  readonly queue_id: string
  /** The highest id that was received; whoever takes the events moves it on. */
  last_event_id: number
  transport: Transport
}

const { poll } = api.events

/** The queue's events as they come, until the connection ends. */
export function receive(reading: Reading): AsyncGenerator<Event[], void, void> {
  return reading.transport === 'stream' ? streamQueue(reading) : pollQueue(reading)
}

async function* pollQueue(reading: Reading): AsyncGenerator<Event[], void, void> {
  const { options, queue_id, silence } = reading
  for (;;) {
    const connection = new Connection(silence, reading.signal)
    const { signal } = connection
    const { last_event_id } = reading
    yield eventsOf(await connection.hear(call(options, poll, { queue_id, last_event_id }, { signal })))
  }
}

async function* streamQueue(reading: Reading): AsyncGenerator<Event[], void, void> {
  const { options, queue_id, last_event_id, silence } = reading
  const connection = new Connection(silence, reading.signal)
  const { signal } = connection
  const headers = { accept: 'text/event-stream', 'last-event-id': String(last_event_id) }
  try {
    const asked = request(options, poll, { queue_id, last_event_id }, { signal, headers })
    const response = await connection.hear(asked)
    if (isEventStream(response)) {
      for await (const sent of readEventStream(response, connection)) yield [readEvent(sent)]
    } else {
      const events = eventsOf(await connection.hear(readAnswer(response, signal)))
      // Something between us and the server knows no streams, and what came is the answer to a poll.
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
    const read = orBroken(reader.read(), 'The stream of events broke', connection.signal)
    const { value } = await connection.hear(read)
    if (!value) return
    yield* parser.push(value)
  }
}

/** An id without data says that nothing up to it was for the queue, as a heartbeat does. */
function readEvent({ id, type, data }: ServerSentEvent): Event {
  if (data === undefined) return { id: Number(id), type: 'heartbeat' }
  const said = parse(data)
  if (type === 'error') throw remoteError(said)
  return said as Event & Record<string, unknown>
}

function parse(data: string): Record<string, unknown> {
  try {
    return JSON.parse(data)
  } catch (cause) {
    throw new TransportError('The stream of events is not readable', { cause })
  }
}

function eventsOf(answer: object): Event[] {
  return (answer as { events: Event[] }).events
}
