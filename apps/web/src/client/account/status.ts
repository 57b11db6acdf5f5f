import { awaitOrShowRefusal } from '../act.ts'
import { client } from '../client.ts'
import { applyOptimistically, type PendingEvent } from '../pending.ts'
import { getOwnId, ownId, userStatuses } from '../store.ts'

/** Returns the status of the user: a line of text, and whether the user is away. Reads signals. */
export function getOwnStatus(): { text: string; isAway: boolean } {
  const { status_text = '', away = false } = userStatuses.value?.[ownId.value ?? 0] ?? {}
  return { text: status_text, isAway: away }
}

/** Sets the text of the status; an empty one removes it. Returns whether it was accepted. */
export const changeStatusText = (status_text: string): Promise<boolean> =>
  awaitOrShowRefusal(
    applyOptimistically([statusEvent({ status_text })], (options) =>
      client.userStatus.set({ status_text }, options),
    ),
  )

/** Sets whether the user is shown to others as away. */
export const changeAway = (away: boolean): Promise<boolean> =>
  awaitOrShowRefusal(
    applyOptimistically([statusEvent({ away })], (options) => client.userStatus.set({ away }, options)),
  )

const statusEvent = (change: { status_text?: string; away?: boolean }): PendingEvent => ({
  type: 'user_status',
  user_id: getOwnId(),
  ...change,
})
