import type { ArgumentsOf, api, Event } from '@oxbow/contract'
import { parseWire } from '@oxbow/contract/plain'
import { wire } from '@oxbow/contract/wire'
import { call } from '../call.ts'
import type { Caller } from '../request.ts'
import { applyEvent } from '../state/apply-event.ts'
import { omitBotSecrets, omitEventSecrets } from '../state/bot-secrets.ts'
import type { Fetched, State } from '../state/state.ts'
import { type Backoff, BackoffTimer } from './backoff.ts'
import { Connection } from './connection.ts'
import { decideRetry } from './decide-retry.ts'
import { type QueueReader, receive, type Transport } from './receive.ts'
import { reconnectRequested, type Waker } from './waker.ts'

export interface FollowOptions {
  /** Arguments of `register`. By default, all state and all events are requested. */
  registration?: ArgumentsOf<typeof api.events.register>
  /**
   * An earlier state, registered with the arguments of `registration`. Its queue is read from
   * `last_event_id`. A new queue is registered only if the server no longer has the old one.
   */
  resume?: State
  /** Does not delete the queue at the end, so that it can be resumed until the server expires it. */
  keepsQueue?: boolean
  /**
   * Empties API keys, tokens and configurations of bots in states and events as soon as they arrive, for
   * clients that store or forward them.
   */
  omitsBotSecrets?: boolean
  /**
   * `poll` works everywhere. `stream` needs fewer requests; if a proxy buffers the stream, polls
   * are used from then on.
   */
  transport?: Transport
  /** Ends the iteration without an error. */
  signal?: AbortSignal
  /** Called before each wait after a failure, for instance to show that the connection is lost. */
  onTrouble?: (error: unknown, waitMilliseconds: number) => void
  /** Called when the server responds again after trouble, and when it first responds for a resumed queue. */
  onRecovered?: () => void
  /**
   * Called when all events that the server had have been yielded and consumed: on each new connection after
   * a failure or `reconnect`, and perhaps at other times.
   */
  onCaughtUp?: () => void
  backoff?: Backoff
  /** After this time without any bytes from the server, the connection is treated as lost. */
  maxSilenceMs?: number
  /** If the first byte of a stream takes longer, polls are used instead. */
  maxFirstByteMs?: number
}

/**
 * An item of the iteration: first a state, then each event once, with the state after it. Another
 * state follows whenever the queue was lost. A state comes with the messages that `fetch_messages`
 * requested. A resumed queue begins with events. Each state can be resumed from its
 * `last_event_id`.
 */
export type Followed =
  | ({ kind: 'state'; state: State } & Fetched)
  | {
      kind: 'event'
      event: Event
      state: State
      /** Set on all events that were received together except the last one, after which a client may render. */
      hasMore?: true
    }

export type FollowSettings = FollowOptions &
  Required<
    Pick<FollowOptions, 'registration' | 'transport' | 'backoff' | 'maxSilenceMs' | 'maxFirstByteMs'>
  > & { readonly waker: Waker }

const endpoints = {
  register: /* @__PURE__ */ parseWire(wire.events.register),
  deleteQueue: /* @__PURE__ */ parseWire(wire.events.deleteQueue),
}

/** Limits how long deleting the queue may delay the end of the iteration. */
const maxDeleteQueueMs = 2_000

/** Follows events until the signal is aborted or a permanent failure occurs. */
export async function* follow(
  caller: Caller,
  settings: FollowSettings,
  signal: AbortSignal,
): AsyncGenerator<Followed, void, void> {
  const { waker, registration, omitsBotSecrets, onTrouble, onRecovered } = settings
  const onCaughtUp = () => settings.onCaughtUp?.()
  const pause = new BackoffTimer(settings.backoff)
  // A resumed queue yields nothing until there are events, so `onRecovered` reports the first response.
  let isInTrouble = settings.resume !== undefined
  const wait = async (error?: unknown) => {
    const milliseconds = pause.nextDelayMs(error)
    if (error !== undefined) {
      isInTrouble = true
      onTrouble?.(error, milliseconds)
    }
    await waker.wait(milliseconds, signal)
  }
  const onAnswer = () => {
    if (isInTrouble) onRecovered?.()
    isInTrouble = false
  }
  const startReading = ({ queue_id, last_event_id }: State, transport: Transport): QueueReader => {
    const { maxSilenceMs, maxFirstByteMs } = settings
    const limits = { maxSilenceMs, maxFirstByteMs, signal, waker }
    const callbacks = { onAnswer, onCaughtUp }
    return { caller, ...limits, queue_id, last_event_id, transport, isUncertain: false, ...callbacks }
  }
  let state = settings.resume
  let reading = state && startReading(state, settings.transport)
  let isQueueLost = false
  if (reading) reading.isUncertain = true
  try {
    while (!signal.aborted) {
      try {
        if (!state || !reading || isQueueLost) {
          const { fetched_messages, fetch_messages_error, ...registered } = await register(
            caller,
            settings,
            signal,
          )
          state = omitsBotSecrets ? omitBotSecrets(registered) : registered
          onAnswer()
          // A proxy that buffered one stream would buffer the next one too.
          reading = startReading(state, reading?.transport ?? settings.transport)
          isQueueLost = false
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
          const taken = takeNew(reading, events)
          const newEvents = omitsBotSecrets ? taken.map(omitEventSecrets) : taken
          for (const event of newEvents) {
            state = { ...applyEvent(state, event, registration), last_event_id: event.id }
            yield { kind: 'event', event, state, ...(event !== newEvents.at(-1) && { hasMore: true }) }
            if (signal.aborted) return
          }
        }
        await wait()
      } catch (error) {
        if (signal.aborted) return
        if (reading) reading.isUncertain = true
        if (error === reconnectRequested) continue
        const decision = decideRetry(error)
        if (decision === 'give up') throw error
        if (decision === 'register') isQueueLost = true
        // Waits before registering too, because a server that lost one queue has usually lost many at once.
        await wait(error)
      }
    }
  } finally {
    if (reading && !isQueueLost && !settings.keepsQueue) await deleteQueue(reading)
  }
}

async function register(
  caller: Caller,
  { registration, maxSilenceMs, waker }: FollowSettings,
  leaving: AbortSignal,
): Promise<State & Fetched> {
  const connection = new Connection(maxSilenceMs, leaving, waker.signal)
  const { signal } = connection
  const answer = call(caller, endpoints.register, registration, { signal })
  return connection.waitFor(answer) as Promise<State & Fetched>
}

/** Returns new events except heartbeats, and advances the cursor. */
function takeNew(reading: QueueReader, events: readonly Event[]): Event[] {
  const newEvents = events.filter(({ id }) => id > reading.last_event_id)
  reading.last_event_id = newEvents.at(-1)?.id ?? reading.last_event_id
  return newEvents.filter(({ type }) => type !== 'heartbeat')
}

/** Deletes the queue. Failures are ignored, because the server expires the queue anyway. */
async function deleteQueue({ caller, queue_id }: QueueReader): Promise<void> {
  const connection = new Connection(maxDeleteQueueMs)
  const { signal } = connection
  await connection.waitFor(call(caller, endpoints.deleteQueue, { queue_id }, { signal })).catch(() => {})
}
