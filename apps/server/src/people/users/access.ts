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
import { filterSeen } from '../../identity/accounts/sight.ts'
import { recheckActor } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { countActiveOwners, findUser, lockUser } from './queries.ts'

/**
 * Locks and returns a user whom the actor may change. Administrators may change all users; others
 * only their bots.
 */
export async function accessUserToChange(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  return checkMayChangeUser(actor, await lockAndRecheck(tx, actor, id))
}

/** Returns a user whom the actor may change, without a lock. For checks before expensive work. */
export async function findUserToChange(db: Db, actor: Actor, id: UserId): Promise<UserRow> {
  return checkMayChangeUser(actor, await findUser(db, actor.organization_id, id))
}

function checkMayChangeUser(actor: Actor, user: UserRow | undefined): UserRow {
  if (!user) throw new ApiError('NO_SUCH_USER')
  if (!decideMayChangeUser(actor, user).allowed) throw new ApiError('INSUFFICIENT_PERMISSION')
  return user
}

/**
 * Locks and returns an active person whom the actor may deactivate. The errors distinguish unknown
 * from forbidden ids, because every account can list the users that it sees.
 */
export async function accessPersonToDeactivate(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const user = getActivePerson(await lockAndRecheck(tx, actor, id))
  const { allowed, rule } = decideMayDeactivate(actor, user)
  if (allowed) return user
  throw new ApiError(rule === 'must_be_owner' ? 'MUST_BE_OWNER' : 'INSUFFICIENT_PERMISSION')
}

/** Locks and returns a user whose sessions the actor may end. The actor must be an administrator. */
export async function accessUserToSignOut(tx: Tx, actor: Actor, id: UserId): Promise<UserRow> {
  const user = await lockAndRecheck(tx, actor, id)
  if (!user) throw new ApiError('NO_SUCH_USER')
  if (user.role === Role.owner && actor.role !== Role.owner) throw new ApiError('MUST_BE_OWNER')
  return user
}

/**
 * Returns the user. Throws if there is no such user, if the user is already deactivated, or if it
 * is a bot, which is deactivated through `/bots`.
 */
export function getActivePerson(user: UserRow | undefined): UserRow {
  if (!user || user.bot_type !== null) throw new ApiError('NO_SUCH_USER')
  if (!user.is_active) throw new ApiError('USER_IS_DEACTIVATED')
  return user
}

/** Locks and returns the actor's own account. */
export async function accessOwnUser(tx: Tx, actor: Actor): Promise<UserRow> {
  const user = await lockAndRecheck(tx, actor, actor.user_id)
  if (!user) throw new ApiError('INVALID_API_KEY')
  return user
}

/** Locks the user, if the actor sees it, and checks the actor again, because waiting for the lock may take a while. */
async function lockAndRecheck(tx: Tx, actor: Actor, id: UserId): Promise<UserRow | undefined> {
  const isSeen = (await filterSeen(tx, actor, [id])).has(id)
  const user = isSeen ? await lockUser(tx, actor.organization_id, id) : undefined
  await recheckActor(tx, actor)
  return user
}

type ActorRights = Pick<Actor, 'role' | 'user_id'>

export function decideMayChangeUser(
  { role, user_id }: ActorRights,
  { bot_owner_id }: Pick<UserRow, 'bot_owner_id'>,
): Decision {
  if (isAdministrator(role)) return allowedBy('administrator')
  return bot_owner_id === user_id ? allowedBy('own_bot') : refusedBy('must_be_administrator')
}

/**
 * Decides whether the actor may deactivate the user, by role and bot ownership only. `isLastOwner`
 * checks that the organization keeps an owner.
 */
export function decideMayDeactivate(
  actor: ActorRights,
  user: Pick<UserRow, 'role' | 'bot_owner_id'>,
): Decision {
  const mustBeOwner = user.role === Role.owner && actor.role !== Role.owner
  const change = decideMayChangeUser(actor, user)
  return allOf(change, mustBeOwner ? refusedBy('must_be_owner') : change)
}

/**
 * Returns whether the organization would have no owner without this user. The result is reliable
 * only while the role lock is held exclusively: otherwise the last two owners could be deactivated
 * concurrently.
 */
export async function isLastOwner(db: Db, user: UserRow): Promise<boolean> {
  const isOwner = user.role === Role.owner && user.is_active && user.bot_type === null
  return isOwner && (await countActiveOwners(db, user.organization_id)) === 1
}
