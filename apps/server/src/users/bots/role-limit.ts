import type { Role } from '@oxbow/contract'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { findUser } from '../queries.ts'

type Bot = Pick<UserRow, 'organization_id' | 'bot_owner_id'>

/** Returns the role itself or, where the owner may do less, the owner's: smaller numbers mean more power. */
export const limitRole = (role: Role, owner: Pick<UserRow, 'role'>): Role =>
  role < owner.role ? owner.role : role

/** Whether the role would let the account do more than its owner may. Accounts without an owner have no limit. */
export async function isAboveOwner(tx: Tx, bot: Bot, role: Role): Promise<boolean> {
  return (await limitByOwner(tx, bot, role)) !== role
}

/** The role that a bot gets where this one is asked for. The organization's roles must be held alone. */
export async function limitByOwner(
  tx: Tx,
  { organization_id, bot_owner_id }: Bot,
  role: Role,
): Promise<Role> {
  const owner = bot_owner_id === null ? undefined : await findUser(tx, organization_id, bot_owner_id)
  return owner ? limitRole(role, owner) : role
}
