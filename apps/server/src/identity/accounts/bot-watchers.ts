import { Role } from '@oxbow/contract'
import type { Audience } from '../../events/record.ts'
import type { UserRow } from '../../platform/database/tables.ts'

/** Administrators who are people: a bot with administrator rights must not learn other bots' keys. */
export const humanAdministrators: Audience = { roles: [Role.owner, Role.administrator], peopleOnly: true }

/**
 * Returns the audience of a bot's private data, including its key: its owner, and administrators
 * who are people.
 */
export function getBotWatchers({ bot_owner_id }: Pick<UserRow, 'bot_owner_id'>): Audience {
  return bot_owner_id === null ? humanAdministrators : { ...humanAdministrators, users: [bot_owner_id] }
}
