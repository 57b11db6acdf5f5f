import type { Event } from '@oxbow/contract'
import { computed, signal } from '@preact/signals'

interface Pending {
  readonly events: readonly Event[]
}

/** A change of the user that is shown before the server has confirmed it. */
export interface PendingChange {
  /** Replaces the events of the change. Returns false, without effect, if a later change is pending. */
  replace(events: readonly Event[]): boolean
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
export function showPending(events: readonly Event[]): PendingChange {
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
 * Applies a change optimistically, and makes the call that requests it. If the call is refused, the
 * change is reverted and the error is thrown.
 */
export async function applyOptimistically<Result>(
  events: readonly Event[],
  call: () => Promise<Result>,
): Promise<Result> {
  const change = showPending(events)
  try {
    const result = await call()
    change.confirm()
    return result
  } catch (error) {
    change.revert()
    throw error
  }
}
