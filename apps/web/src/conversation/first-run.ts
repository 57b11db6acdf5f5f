import { computed } from '@preact/signals'
import { client } from '../client/client.ts'
import { hasDirectory, peopleById } from '../client/people/people.ts'
import {
  isOwner,
  neverSubscribed,
  noticesStream,
  ownId,
  signUpsStream,
  subscriptions,
  unsubscribed,
} from '../client/store.ts'

/** An organization counts as new while it has at most this many people besides its owner. */
const maxOthers = 2

/** Number of other people in the organization. */
export const otherPeopleCount = computed(
  () =>
    [...peopleById.value.values()].filter(
      ({ user_id, is_bot, is_active }) => is_active && !is_bot && user_id !== ownId.value,
    ).length,
)

/** Number of streams besides the two default ones of every organization. */
export const ownStreamCount = computed(() => {
  const first = [noticesStream.value, signUpsStream.value]
  return [
    ...(subscriptions.value ?? []),
    ...(unsubscribed.value ?? []),
    ...(neverSubscribed.value ?? []),
  ].filter(({ stream_id }) => !first.includes(stream_id)).length
})

/** Whether the user owns an organization that hardly anybody else has joined. */
export const isFirstRun = computed(
  () => Boolean(isOwner.value) && hasDirectory.value && otherPeopleCount.value <= maxOthers,
)

/** Returns 1 if the user has written any message, otherwise 0. */
export async function countOwnMessages(): Promise<number> {
  const { messages } = await client.messages.list({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: [{ operator: 'sender', operand: ownId.peek() }] as never,
  })
  return messages.length
}
