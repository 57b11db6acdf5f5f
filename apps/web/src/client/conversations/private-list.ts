import type { UserId } from '@oxbow/contract'
import { computed } from '@preact/signals'
import { privateConversations } from '../store.ts'
import { othersOf } from './target.ts'
import { countedPrivate, type UnreadPrivate } from './unread.ts'

export interface PrivateRow {
  /** Ids of the other people. */
  user_ids: readonly UserId[]
  newest: number
  unread: UnreadPrivate | undefined
}

/** Number of newest conversations that the nav lists. It also lists all unread ones. */
const maxRows = 8

const keyOf = (user_ids: readonly UserId[]): string => user_ids.toSorted((a, b) => a - b).join(',')

/** Private conversations in the nav: the newest ones and all unread ones; newest first. */
export const privateRows = computed((): PrivateRow[] => {
  const rows = new Map<string, PrivateRow>()
  for (const { user_ids, max_message_id } of privateConversations.value ?? []) {
    const others = othersOf(user_ids)
    rows.set(keyOf(others), { user_ids: others, newest: max_message_id, unread: undefined })
  }
  for (const unread of countedPrivate.value)
    rows.set(keyOf(unread.user_ids), { user_ids: unread.user_ids, newest: unread.newest, unread })
  return [...rows.values()]
    .sort((one, other) => other.newest - one.newest)
    .filter(({ unread }, index) => index < maxRows || unread)
})
