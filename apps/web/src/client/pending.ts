import type { CallOptions } from '@oxbow/sdk/browser'
import { computed, signal } from '@preact/signals'
import { listChangedObjects, type PendingEvent } from './changed-objects.ts'

export type { PendingEvent } from './changed-objects.ts'

interface Pending {
  readonly events: readonly PendingEvent[]
}

/** A change of the user that is shown before the server has confirmed it. */
export interface PendingChange {
  /** Replaces the events of the change. Returns false, without effect, if a later change is pending. */
  replace(events: readonly PendingEvent[]): boolean
  /** Removes the change once the server's events for it are expected to have arrived. */
  confirm(): void
  /** Removes the change at once. */
  revert(): void
}

/** Time after a successful call by which its events are expected to have arrived. */
const settledMs = 2_000

const changes = signal<readonly Pending[]>([])

/** Events for the user's changes that the server has not confirmed yet, oldest first. */
export const pendingEvents = computed(() => changes.value.flatMap(({ events }) => events))

/** Shows a change that the server has not confirmed. */
export function showPending(events: readonly PendingEvent[]): PendingChange {
  let change: Pending = { events }
  changes.value = [...changes.value, change]
  const revert = () => {
    changes.value = changes.value.filter((other) => other !== change)
  }
  return {
    replace(newEvents) {
      if (changes.peek().at(-1) !== change) return false
      change = { events: newEvents }
      changes.value = [...changes.peek().slice(0, -1), change]
      return true
    },
    confirm: () => void setTimeout(revert, settledMs),
    revert,
  }
}

/**
 * Applies a change optimistically, and makes the call that requests it once earlier calls for changes of
 * the same object have ended. If the call is refused or not answered in time, the change is reverted and
 * the error is thrown.
 */
export async function applyOptimistically<Result>(
  events: readonly PendingEvent[],
  call: (options: CallOptions) => Promise<Result>,
): Promise<Result> {
  const change = showPending(events)
  try {
    const result = await callInOrder(events.flatMap(listChangedObjects), () => call(limitCall()))
    change.confirm()
    return result
  } catch (error) {
    change.revert()
    throw error
  }
}

/** A call without a response is aborted after this time. */
const maxCallMs = 30_000

/** Returns options that limit the time of a call that begins now. */
export const limitCall = (): CallOptions => ({ signal: AbortSignal.timeout(maxCallMs) })

/** Calls that have not ended, the last one for each object. */
const lastCalls = new Map<string, Promise<unknown>>()

/**
 * Makes a call after the earlier calls for the same objects. Requests that are made at the same time may
 * arrive in another order: a reaction that the user adds and removes at once would stay.
 */
function callInOrder<Result>(objects: readonly string[], call: () => Promise<Result>): Promise<Result> {
  const earlier = objects.flatMap((object) => lastCalls.get(object) ?? [])
  const result = earlier.length > 0 ? Promise.all(earlier).then(call) : call()
  const ended = result
    .catch(() => {})
    .then(() => {
      for (const object of objects) if (lastCalls.get(object) === ended) lastCalls.delete(object)
    })
  for (const object of objects) lastCalls.set(object, ended)
  return result
}
