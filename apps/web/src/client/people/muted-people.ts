import type { UserId } from '@oxbow/contract'
import { computed, effect } from '@preact/signals'
import { awaitOrShowRefusal } from '../act.ts'
import { client } from '../client.ts'
import { applyOptimistically } from '../pending.ts'
import { mutedUsers, ownId } from '../store.ts'

/** Ids of people whose messages are collapsed. */
export const mutedPeople = computed((): ReadonlySet<UserId> => new Set(mutedUsers.value?.map(({ id }) => id)))

export const isPersonMuted = (user_id: UserId): boolean => mutedPeople.value.has(user_id)

/** Mutes or unmutes a person optimistically. Returns whether the server accepted it. */
export function setPersonMuted(user_id: UserId, isMuted: boolean): Promise<boolean> {
  return awaitOrShowRefusal(changeMute(user_id, isMuted))
}

function changeMute(muted_user_id: UserId, isMuted: boolean): Promise<unknown> {
  const others = (mutedUsers.peek() ?? []).filter(({ id }) => id !== muted_user_id)
  const timestamp = Math.floor(Date.now() / 1_000)
  const muted_users = isMuted ? [...others, { id: muted_user_id, timestamp }] : others
  return applyOptimistically([{ type: 'muted_users', muted_users }], (options) =>
    isMuted
      ? client.mutedUsers.mute({ muted_user_id }, options)
      : client.mutedUsers.unmute({ muted_user_id }, options),
  )
}

/** Storage key of the people whom earlier versions of the client muted on this device only. */
const oldKeyOf = (user_id: UserId) => `oxbow.muted-people.${user_id}`

/** Mutes the people whom the user muted on this device with an earlier version, once the account is known. */
export function startMutedPeople(): void {
  effect(() => {
    const own = ownId.value
    if (own !== undefined && mutedUsers.value !== undefined) void moveOldList(own)
  })
}

async function moveOldList(own: UserId): Promise<void> {
  for (const user_id of takeOldList(own)) {
    // A person who is muted already, or whose account is gone, is refused.
    if (!mutedPeople.peek().has(user_id)) await changeMute(user_id, true).catch(() => {})
  }
}

function takeOldList(own: UserId): UserId[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(oldKeyOf(own)) ?? '[]')
    localStorage.removeItem(oldKeyOf(own))
    return Array.isArray(stored) ? stored.filter((id): id is UserId => Number.isInteger(id)) : []
  } catch {
    return []
  }
}
