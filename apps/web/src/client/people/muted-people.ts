import type { UserId } from '@oxbow/contract'
import { computed, effect, signal } from '@preact/signals'
import { ownId } from '../store.ts'

/**
 * Returns the storage key of an account's muted people. The server does not store them, so this
 * device does.
 */
const keyOf = (user_id: UserId) => `oxbow.muted-people.${user_id}`

const muted = signal<ReadonlySet<UserId>>(new Set())

/** Ids of people whose messages are collapsed. */
export const mutedPeople = computed(() => muted.value)

export const isPersonMuted = (user_id: UserId): boolean => muted.value.has(user_id)

/** Reads the list when the account is known, and follows changes in other tabs. */
export function startMutedPeople(): void {
  effect(() => {
    if (ownId.value !== undefined) muted.value = read(ownId.value)
  })
  addEventListener('storage', ({ key }) => {
    const own = ownId.peek()
    if (own !== undefined && (key === null || key === keyOf(own))) muted.value = read(own)
  })
}

/** Mutes or unmutes a person. */
export function setPersonMuted(user_id: UserId, isMuted: boolean): void {
  const next = new Set(muted.peek())
  if (isMuted) next.add(user_id)
  else next.delete(user_id)
  muted.value = next
  const own = ownId.peek()
  if (own === undefined) return
  try {
    localStorage.setItem(keyOf(own), JSON.stringify([...next]))
  } catch {
    // Storage is disabled in this browser: the change lasts until the page is closed.
  }
}

function read(own: UserId): ReadonlySet<UserId> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(own)) ?? '[]')
    return new Set(Array.isArray(stored) ? stored.filter((id): id is UserId => Number.isInteger(id)) : [])
  } catch {
    return new Set()
  }
}
