import type { Role } from '@oxbow/contract'
import type { Db } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { findUser } from '../queries.ts'

type Bot = Pick<UserRow, 'organization_id' | 'bot_owner_id'>

/** Returns the lower of both roles. A smaller number is a higher role. */
export const limitRole = (role: Role, owner: Pick<UserRow, 'role'>): Role =>
  role < owner.role ? owner.role : role

/**
 * Returns whether the role is higher than that of the bot's owner. Returns false for accounts
 * without an owner.
 */
export async function isAboveOwner(db: Db, bot: Bot, role: Role): Promise<boolean> {
  return (await limitByOwner(db, bot, role)) !== role
}

/**
 * Limits the requested role to that of the bot's owner. The result is reliable only while the role lock is held
 * exclusively.
 */
export async function limitByOwner(
  db: Db,
  { organization_id, bot_owner_id }: Bot,
  role: Role,
): Promise<Role> {
  const owner = bot_owner_id === null ? undefined : await findUser(db, organization_id, bot_owner_id)
  return owner ? limitRole(role, owner) : role
}
