import { ApiError } from '@oxbow/contract'
import { sql } from 'kysely'
import { type Actor, ActorChanged } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { lockKey, recordRoleLock } from '../platform/database/locks.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { inTransaction } from '../platform/database/transaction.ts'
import { errorForInvalidCredential } from './authenticate.ts'
import { claimIdempotencyKey, saveIdempotentResponse } from './idempotency.ts'
import { isCredentialGood } from './queries.ts'

export interface WriteOptions {
  /**
   * The organization's role lock. Exclusive for actions that change a role or activate accounts;
   * see `lockRoles`.
   */
  roles?: 'shared' | 'exclusive'
  /**
   * Set in an action with several transactions if the result of this one is not the response. Then
   * the result is not saved for retries.
   */
  skipsIdempotency?: boolean
}

/**
 * Runs `work` in a transaction on behalf of the actor. Every action that changes data for a user
 * must use it, except sending a message, presence and typing, which have separate transactions for
 * speed.
 *
 * Before `work` it takes the organization's role lock and checks the actor again. It throws if the
 * API key or session is no longer valid or the account was deactivated since the request was
 * authenticated. If the role has changed, the whole request starts over. `work` may run several
 * times (deadlocks, serialization failures), so it must have no effects outside `tx`. It must not
 * take the role lock again. Events are emitted with `emit(tx, …)` and delivered only after the
 * commit.
 *
 * With an `Idempotency-Key` the result is saved in the same transaction; a retried request throws
 * `IdempotentReplay` with the saved response and changes nothing.
 */
export async function writeAs<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  { roles = 'shared', skipsIdempotency = false }: WriteOptions = {},
): Promise<Result> {
  const idempotencyKey = skipsIdempotency ? undefined : actor.idempotencyKey
  const result = await inTransaction(app.db, async (tx) => {
    await lockAndCheckActor(tx, actor, roles)
    if (idempotencyKey) await claimIdempotencyKey(tx, actor, idempotencyKey)
    const done = await work(tx)
    if (idempotencyKey) await saveIdempotentResponse(tx, actor, idempotencyKey, (done ?? {}) as object)
    return done
  })
  if (idempotencyKey) idempotencyKey.isSaved = true
  return result
}

/**
 * Runs `writeAs` with the exclusive role lock, for actions that change a role, or activate or
 * deactivate an account. All other writes of the organization wait meanwhile.
 */
export function changeRolesAs<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return writeAs(app, actor, work, { roles: 'exclusive' })
}

/** Checks the actor again. Call it after waiting for a lock. */
export async function recheckActor(tx: Tx, actor: Actor): Promise<void> {
  const account = await tx
    .selectFrom('user_account')
    .innerJoin('organization', 'organization.id', 'organization_id')
    .select(['role', 'is_active', isCredentialGood(actor.credential.hash).as('is_credential_good')])
    .select(sql<boolean>`deactivated_at is not null`.as('is_organization_deactivated'))
    .where('organization_id', '=', actor.organization_id)
    .where('user_account.id', '=', actor.user_id)
    .executeTakeFirst()
  refuseUnlessUnchanged(actor, account)
}

async function lockAndCheckActor(tx: Tx, actor: Actor, roles: 'shared' | 'exclusive'): Promise<void> {
  const { organization_id, user_id, credential } = actor
  const key = lockKey('organizationRoles', organization_id)
  const { rows } = await sql<Account>`
    select * from hold_actor(
      ${key}, ${roles === 'exclusive'}, ${organization_id}, ${user_id}, ${credential.hash})`.execute(tx)
  recordRoleLock(tx, organization_id)
  refuseUnlessUnchanged(actor, rows[0])
}

interface Account extends Pick<UserRow, 'role' | 'is_active'> {
  is_credential_good: boolean
  is_organization_deactivated: boolean
}

function refuseUnlessUnchanged(actor: Actor, account: Account | undefined): void {
  if (!account?.is_credential_good) throw new ApiError(errorForInvalidCredential(actor.credential))
  if (account.is_organization_deactivated) throw new ApiError('ORGANIZATION_DEACTIVATED')
  if (!account.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')
  if (account.role !== actor.role) throw new ActorChanged()
}
