import { ApiError } from '@oxbow/contract'
import { sql } from 'kysely'
import { type Actor, ActorChanged } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { lockKey, noteRolesHeld } from '../platform/database/locks.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { holdAnswer, keepAnswer } from './kept-answers.ts'

export interface WriteOptions {
  /** Alone, for whoever changes roles or activity; see `holdRoles`. */
  roles?: 'shared' | 'alone'
  /** One of several transactions that an action makes: what it returns is not what the caller is told. */
  isPart?: boolean
}

/**
 * The one way to change something on behalf of someone: a transaction in which the actor's key, activity and role
 * still are what the request was admitted with. A call that was made before, with the same `Idempotency-Key`, changes
 * nothing; the answer is kept with the change itself.
 */
export async function writeAs<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  { roles = 'shared', isPart = false }: WriteOptions = {},
): Promise<Result> {
  const repetition = isPart ? undefined : actor.repetition
  const result = await inTransaction(app.db, async (tx) => {
    await holdActor(tx, actor, roles)
    if (repetition) await holdAnswer(tx, actor, repetition)
    const done = await work(tx)
    if (repetition) await keepAnswer(tx, actor, repetition, (done ?? {}) as object)
    return done
  })
  if (repetition) repetition.isKept = true
  return result
}

/** As `writeAs`, for whoever changes someone's role or activity: others who do wait, and so do events for classes of roles. */
export function changeRolesAs<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return writeAs(app, actor, work, { roles: 'alone' })
}

/** Again after a lock was waited for: what the actor was before the wait may no longer be so. */
export async function confirmActor(tx: Tx, actor: Actor): Promise<void> {
  const account = await tx
    .selectFrom('user_account')
    .innerJoin('organization', 'organization.id', 'organization_id')
    .select(['role', 'is_active', 'api_key_hash'])
    .select(sql<boolean>`deactivated_at is not null`.as('is_organization_deactivated'))
    .where('organization_id', '=', actor.organization_id)
    .where('user_account.id', '=', actor.user_id)
    .executeTakeFirst()
  refuseUnlessSame(actor, account)
}

async function holdActor(tx: Tx, actor: Actor, roles: 'shared' | 'alone'): Promise<void> {
  const { organization_id, user_id } = actor
  const key = lockKey('organizationRoles', organization_id)
  const { rows } = await sql<Account>`
    select * from hold_actor(${key}, ${roles === 'alone'}, ${organization_id}, ${user_id})`.execute(tx)
  noteRolesHeld(tx, organization_id)
  refuseUnlessSame(actor, rows[0])
}

interface Account extends Pick<UserRow, 'role' | 'is_active' | 'api_key_hash'> {
  is_organization_deactivated: boolean
}

function refuseUnlessSame(actor: Actor, account: Account | undefined): void {
  if (!account?.api_key_hash.equals(actor.api_key_hash)) throw new ApiError('INVALID_API_KEY')
  if (account.is_organization_deactivated) throw new ApiError('ORGANIZATION_DEACTIVATED')
  if (!account.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')
  if (account.role !== actor.role) throw new ActorChanged()
}
