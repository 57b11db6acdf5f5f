import type { UserId } from '@oxbow/contract'
import { nameInMessages } from '../messages/windows.ts'
import { peopleById } from './people.ts'

/** Returns the name of a person: from the directory, or else from the sender names of messages. */
export const nameOf = (user_id: UserId): string =>
  peopleById.value.get(user_id)?.full_name ?? nameInMessages(user_id) ?? '…'

export const avatarOf = (user_id: UserId): string =>
  peopleById.value.get(user_id)?.avatar_url ?? `/avatar/${user_id}`
