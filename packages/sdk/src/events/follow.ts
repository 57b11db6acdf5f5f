import { api, type Event } from '@oxbow/contract'
import { call } from '../call.ts'
import type { ClientOptions } from '../request.ts'
import { applyEvent } from '../state/apply-event.ts'
import type { State } from '../state/state.ts'
import { Connection } from './connection.ts'
import type { Followed, FollowOptions } from './follow-events.ts'
import { delay, Pause } from './pause.ts'
import { reactTo } from './react.ts'
import { type Reading, receive } from './receive.ts'

export type Following = FollowOptions &
  Required<Pick<FollowOptions, 'registration' | 'transport' | 'patience' | 'silence'>>

/** How long a farewell may take, in milliseconds. */
const farewell = 2_000

/** Until the signal is aborted, or something fails that will not pass. */
export async function* follow(
  options: ClientOptions,
  given: Following,
  signal: AbortSignal,
): AsyncGenerator<Followed, void, void> {
  const pause = new Pause(given.patience)
  const wait = async (error?: unknown) => {
    const milliseconds = pause.next(error)
    if (error !== undefined) given.onTrouble?.(error, milliseconds)
    await delay(milliseconds, signal)
  }
  let state: State | undefined
  let reading: Reading | undefined
  try {
    while (!signal.aborted) {
      try {
        if (!state || !reading) {
          state = await register(options, given, signal)
          reading = startReading(options, given, state, signal)
          yield { kind: 'state', state }
        }
        for await (const events of receive(reading)) {
          // Neither an event nor a sign of life: the server stops, or someone else reads the queue.
          if (events.length === 0) await wait()
          else pause.reset()
          for (const event of takeNew(reading, events)) {
            state = applyEvent(state, event, given.registration)
            yield { kind: 'event', event, state }
            if (signal.aborted) return
          }
        }
        await wait()
      } catch (error) {
        if (signal.aborted) return
        const reaction = reactTo(error)
        if (reaction === 'give up') throw error
        if (reaction === 'anew') reading = undefined
        // Also before a new queue: when a server loses one it loses many, and all their clients come at once.
        await wait(error)
      }
    }
  } finally {
    if (reading) await deleteQueue(reading)
  }
}

async function register(
  options: ClientOptions,
  { registration, silence }: Following,
  leaving: AbortSignal,
): Promise<State> {
  const connection = new Connection(silence, leaving)
  const { signal } = connection
  return connection.hear(call(options, api.events.register, registration, { signal })) as Promise<State>
}

function startReading(
  options: ClientOptions,
  { transport, silence }: Following,
  { queue_id, last_event_id }: State,
  signal: AbortSignal,
): Reading {
  return { options, transport, silence, signal, queue_id, last_event_id }
}

/** What did not come before, but for signs of life. */
function* takeNew(reading: Reading, events: readonly Event[]): Generator<Event> {
  for (const event of events) {
    if (event.id <= reading.last_event_id) continue
    reading.last_event_id = event.id
    if (event.type !== 'heartbeat') yield event
  }
}

/** If it cannot be said, the server notices by itself after a while. */
async function deleteQueue({ options, queue_id }: Reading): Promise<void> {
  const connection = new Connection(farewell)
  const { signal } = connection
  await connection.hear(call(options, api.events.deleteQueue, { queue_id }, { signal })).catch(() => {})
}
