import { type ArgumentsOf, api, type Event } from '@oxbow/contract'
import { call } from '../call.ts'
import type { ClientOptions } from '../request.ts'
import { applyEvent } from '../state/apply-event.ts'
import type { Fetched, State } from '../state/state.ts'
import { type Backoff, BackoffTimer, delay } from './backoff.ts'
import { Connection } from './connection.ts'
import { decideRetry } from './decide-retry.ts'
import { type QueueReader, receive, type Transport } from './receive.ts'

export interface FollowOptions {
  /** Arguments of `register`; by default all state and all events. */
  registration?: ArgumentsOf<typeof api.events.register>
  /** `poll` works everywhere; `stream` saves a request per response. */
  transport?: Transport
  /** Ends the iteration without an error. */
  signal?: AbortSignal
  /** Called before each wait after a failure, for instance to show that the connection is lost. */
  onTrouble?: (error: unknown, waitMilliseconds: number) => void
  backoff?: Backoff
  /** The connection counts as lost after this time without any bytes from the server. */
  maxSilenceMs?: number
}

/**
 * The state, first and again whenever the queue was lost, with the messages of `fetch_messages` as
 * of then; in between each event once, with the state after it.
 */
export type Followed =
  | ({ kind: 'state'; state: State } & Fetched)
  | { kind: 'event'; event: Event; state: State }

export type FollowSettings = FollowOptions &
  Required<Pick<FollowOptions, 'registration' | 'transport' | 'backoff' | 'maxSilenceMs'>>

/** Limits how long deleting the queue may delay the end of the iteration. */
const maxDeleteQueueMs = 2_000

/** Follows events until the signal is aborted or a permanent failure occurs. */
export async function* follow(
  options: ClientOptions,
  settings: FollowSettings,
  signal: AbortSignal,
): AsyncGenerator<Followed, void, void> {
  const pause = new BackoffTimer(settings.backoff)
  const wait = async (error?: unknown) => {
    const milliseconds = pause.nextDelayMs(error)
    if (error !== undefined) settings.onTrouble?.(error, milliseconds)
    await delay(milliseconds, signal)
  }
  let state: State | undefined
  let reading: QueueReader | undefined
  try {
    while (!signal.aborted) {
      try {
        if (!state || !reading) {
          const { fetched_messages, fetch_messages_error, ...registered } = await register(
            options,
            settings,
            signal,
          )
          state = registered
          reading = startReading(options, settings, state, signal)
          yield {
            kind: 'state',
            state,
            ...(fetched_messages && { fetched_messages }),
            ...(fetch_messages_error && { fetch_messages_error }),
          }
        }
        for await (const events of receive(reading)) {
          // An empty response means that the node is stopping, or that another client reads the
          // queue.
          if (events.length === 0) await wait()
          else pause.reset()
          for (const event of takeNew(reading, events)) {
            state = applyEvent(state, event, settings.registration)
            yield { kind: 'event', event, state }
            if (signal.aborted) return
          }
        }
        await wait()
      } catch (error) {
        if (signal.aborted) return
        const decision = decideRetry(error)
        if (decision === 'give up') throw error
        if (decision === 'register') reading = undefined
        // Waits even before it registers, because a server that lost one queue has lost many at
        // once.
        await wait(error)
      }
    }
  } finally {
    if (reading) await deleteQueue(reading)
  }
}

async function register(
  options: ClientOptions,
  { registration, maxSilenceMs }: FollowSettings,
  leaving: AbortSignal,
): Promise<State & Fetched> {
  const connection = new Connection(maxSilenceMs, leaving)
  const { signal } = connection
  return connection.waitFor(call(options, api.events.register, registration, { signal })) as Promise<
    State & Fetched
  >
}

function startReading(
  options: ClientOptions,
  { transport, maxSilenceMs }: FollowSettings,
  { queue_id, last_event_id }: State,
  signal: AbortSignal,
): QueueReader {
  return { options, transport, maxSilenceMs, signal, queue_id, last_event_id }
}

/** Yields the events that are new, without heartbeats, and advances the cursor. */
function* takeNew(reading: QueueReader, events: readonly Event[]): Generator<Event> {
  for (const event of events) {
    if (event.id <= reading.last_event_id) continue
    reading.last_event_id = event.id
    if (event.type !== 'heartbeat') yield event
  }
}

/** Deletes the queue. Failures are ignored, because the server expires it anyway. */
async function deleteQueue({ options, queue_id }: QueueReader): Promise<void> {
  const connection = new Connection(maxDeleteQueueMs)
  const { signal } = connection
  await connection.waitFor(call(options, api.events.deleteQueue, { queue_id }, { signal })).catch(() => {})
}
