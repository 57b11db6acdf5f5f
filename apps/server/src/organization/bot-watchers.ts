import { Role } from '@oxbow/contract'
import type { Audience } from '../events/record.ts'
import type { UserRow } from '../platform/database/tables.ts'

/** People only: a bot that is an administrator need not know the keys of the others. */
export const administratingPeople: Audience = { roles: [Role.owner, Role.administrator], peopleOnly: true }

/** Who knows of a bot what others do not, its key among it: its owner, and people who are administrators. */
export function whoWatches({ bot_owner_id }: Pick<UserRow, 'bot_owner_id'>): Audience {
  return bot_owner_id === null ? administratingPeople : { ...administratingPeople, users: [bot_owner_id] }
}
