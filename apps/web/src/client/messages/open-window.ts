import type { MessageId, UserId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { computed, signal } from '@preact/signals'
import { peekMessage, type ShownWindow } from './windows.ts'

const opened = signal<ShownWindow | undefined>(undefined)

/** Registers the window that the view shows. Returns a function that unregisters it. */
export function noteOpenWindow(shown: ShownWindow): () => void {
  opened.value = shown
  return () => {
    if (opened.peek() === shown) opened.value = undefined
  }
}

/** The segment that the current view has loaded. */
export const openSegment = computed(() => opened.value?.segment.value)

/** Returns whether the current view shows a message. */
export const isInOpenWindow = (message_id: MessageId): boolean =>
  opened.peek()?.segment.peek()?.ids.includes(message_id) ?? false

/** The newest loaded message of the current view. */
export const newestShown = computed((): WindowMessage | undefined => {
  const newest = opened.value?.segment.value?.ids.at(-1)
  return newest === undefined ? undefined : peekMessage(newest)
})

/** Ids of the people who sent the current view's loaded messages, most recent first. */
export const shownSenders = computed((): readonly UserId[] => {
  const senders = new Set<UserId>()
  for (const id of opened.value?.segment.value?.ids.toReversed() ?? []) {
    const sender_id = peekMessage(id)?.sender_id
    if (sender_id !== undefined) senders.add(sender_id)
  }
  return [...senders]
})
