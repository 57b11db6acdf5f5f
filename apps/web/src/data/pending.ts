import type { Event } from '@oxbow/contract'
import { computed, signal } from '@preact/signals'

interface PendingChange {
  readonly events: readonly Event[]
}

/** Time after a successful call by which its events are expected to have arrived. */
const settledMs = 2_000

const changes = signal<readonly PendingChange[]>([])

/** Events for the user's changes that the server has not confirmed yet, oldest first. */
export const pendingEvents = computed(() => changes.value.flatMap(({ events }) => events))

/**
 * Applies a change optimistically, and makes the call that requests it. If the call is refused, the
 * change is reverted and the error is thrown.
 */
export async function applyOptimistically<Result>(
  events: readonly Event[],
  call: () => Promise<Result>,
): Promise<Result> {
  const change = { events }
  const remove = () => {
    changes.value = changes.value.filter((other) => other !== change)
  }
  changes.value = [...changes.value, change]
  try {
    const result = await call()
    setTimeout(remove, settledMs)
    return result
  } catch (error) {
    remove()
    throw error
  }
}
