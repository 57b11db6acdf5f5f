import { peopleById } from './people.ts'
import { nameInMessages } from './windows.ts'

/** Returns the name of a person: from the directory, or else from the sender names of messages. */
export const nameOf = (user_id: number): string =>
  peopleById.value.get(user_id)?.full_name ?? nameInMessages(user_id) ?? '…'

export const avatarOf = (user_id: number): string =>
  peopleById.value.get(user_id)?.avatar_url ?? `/avatar/${user_id}`
