import { ApiError, isAdministrator, Role, type UserId } from '@oxbow/contract'
import { confirmActor } from '../identity/write-as.ts'
import type { Actor } from '../platform/actor.ts'
import type { Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { countActiveOwners, lockUser } from './queries.ts'

/** A user whom the actor may change: anyone for administrators, their own bots for everyone else. */
export async function accessUserToChange(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const user = await holdUser(tx, actor, id)
  if (!user) throw new ApiError('NO_SUCH_USER')
  if (!mayChange(actor, user)) throw new ApiError('INSUFFICIENT_PERMISSION')
  return user
}

/** A person who can be deactivated. Whether one exists is no secret: everyone can list users. */
export async function accessPersonToDeactivate(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const user = await holdUser(tx, actor, id)
  if (!user || user.bot_type !== null) throw new ApiError('NO_SUCH_USER')
  if (!user.is_active) throw new ApiError('USER_IS_DEACTIVATED')
  if (!mayChange(actor, user)) throw new ApiError('INSUFFICIENT_PERMISSION')
  if (user.role === Role.owner && actor.role !== Role.owner) throw new ApiError('MUST_BE_OWNER')
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
  await confirmActor(tx, actor)
  return user
}

function mayChange(actor: Actor, user: UserRow): boolean {
  return isAdministrator(actor.role) || user.bot_owner_id === actor.user_id
}

/** Whether the organization would be left without an owner. Roles must be held alone, or two could leave at once. */
export async function isLastOwner(tx: Tx, user: UserRow): Promise<boolean> {
  const isOwner = user.role === Role.owner && user.is_active && user.bot_type === null
  return isOwner && (await countActiveOwners(tx, user.organization_id)) === 1
}
