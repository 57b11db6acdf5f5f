import { computed } from '@preact/signals'
import { formerUsers, ownId, systemBots, users } from './store.ts'

export interface Person {
  user_id: number
  full_name: string
  avatar_url: string
  is_bot: boolean
  is_guest: boolean
  is_active: boolean
}

/** Everyone the client knows, by id. */
export const peopleById = computed(() => {
  const known = new Map<number, Person>()
  const add = (list: typeof users.value | typeof systemBots.value, is_active: boolean) => {
    for (const { user_id, full_name, avatar_url, is_bot, is_guest } of list ?? [])
      known.set(user_id, {
        user_id,
        full_name,
        avatar_url: avatar_url ?? `/avatar/${user_id}`,
        is_bot,
        is_guest,
        is_active,
      })
  }
  add(formerUsers.value, false)
  add(systemBots.value, true)
  add(users.value, true)
  return known
})

/** The other people of a private conversation; oneself, in the conversation with oneself. */
export function othersOf(user_ids: readonly number[]): readonly number[] {
  const others = user_ids.filter((user_id) => user_id !== ownId.value)
  return others.length > 0 ? others : ownId.value === undefined ? [] : [ownId.value]
}

/** Names of these people; an unknown one is an ellipsis. */
export const namesOf = (user_ids: readonly number[]): string[] =>
  user_ids.map((user_id) => peopleById.value.get(user_id)?.full_name ?? '…')
