import {
  ApiError,
  allOf,
  allowedBy,
  type Decision,
  isAdministrator,
  Role,
  refusedBy,
  type UserId,
} from '@oxbow/contract'
import { recheckActor } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { Db, Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { countActiveOwners, lockUser } from './queries.ts'

/** A user whom the actor may change: anyone for administrators, their own bots for everyone else. */
export async function accessUserToChange(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const user = await holdUser(tx, actor, id)
  if (!user) throw new ApiError('NO_SUCH_USER')
  if (!decideToChangeUser(actor, user).allowed) throw new ApiError('INSUFFICIENT_PERMISSION')
  return user
}

/** A person who can be deactivated. Whether one exists is no secret: everyone can list users. */
export async function accessPersonToDeactivate(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const user = activePerson(await holdUser(tx, actor, id))
  const { allowed, rule } = decideToDeactivate(actor, user)
  if (allowed) return user
  throw new ApiError(rule === 'must_be_owner' ? 'MUST_BE_OWNER' : 'INSUFFICIENT_PERMISSION')
}

/** Bots are deactivated in another way. */
export function activePerson(user: UserRow | undefined): UserRow {
  if (!user || user.bot_type !== null) throw new ApiError('NO_SUCH_USER')
  if (!user.is_active) throw new ApiError('USER_IS_DEACTIVATED')
  return user
}

/** The actor's own account. */
export async function accessOwnUser(tx: Tx, actor: Actor): Promise<UserRow> {
  const user = await holdUser(tx, actor, actor.user_id)
  if (!user) throw new ApiError('INVALID_API_KEY')
  return user
}

/** Someone may have held the row before us, so the actor is looked at again after the wait. */
async function holdUser(tx: Tx, actor: Actor, id: UserId): Promise<UserRow | undefined> {
  const user = await lockUser(tx, actor.organization_id, id)
  await recheckActor(tx, actor)
  return user
}

type Changing = Pick<Actor, 'role' | 'user_id'>

export function decideToChangeUser(
  { role, user_id }: Changing,
  { bot_owner_id }: Pick<UserRow, 'bot_owner_id'>,
): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  return bot_owner_id === user_id ? allowedBy('own_bot') : refusedBy('must_be_administrator')
}

/** That someone must be left who owns the organization is looked at by itself. */
export function decideToDeactivate(actor: Changing, user: Pick<UserRow, 'role' | 'bot_owner_id'>): Decision {
  const isAboveThem = user.role === Role.owner && actor.role !== Role.owner
  const change = decideToChangeUser(actor, user)
  return allOf(change, isAboveThem ? refusedBy('must_be_owner') : change)
}

/** Whether the organization would be left without an owner. Roles must be held alone, or two could leave at once. */
export async function isLastOwner(db: Db, user: UserRow): Promise<boolean> {
  const isOwner = user.role === Role.owner && user.is_active && user.bot_type === null
  return isOwner && (await countActiveOwners(db, user.organization_id)) === 1
}
