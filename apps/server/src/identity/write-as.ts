import { ApiError } from '@oxbow/contract'
import { type Actor, ActorChanged } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { Tx } from '../platform/database/database.ts'
import { inTransaction } from '../platform/database/transaction.ts'

/**
 * The one way to change something on behalf of someone: a transaction in which the actor's key, activity and role
 * still are what the request was admitted with.
 */
export async function writeAs<Result>(
  app: App,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return inTransaction(app.db, async (tx) => {
    await confirmActor(tx, actor)
    return work(tx)
  })
}

/** Again after a lock was waited for: what the actor was before the wait may no longer be so. */
export async function confirmActor(tx: Tx, actor: Actor): Promise<void> {
  const account = await tx
    .selectFrom('user_account')
    .select(['role', 'is_active', 'api_key_hash'])
    .where('organization_id', '=', actor.organization_id)
    .where('id', '=', actor.user_id)
    .executeTakeFirst()
  if (!account?.api_key_hash.equals(actor.api_key_hash)) throw new ApiError('INVALID_API_KEY')
  if (!account.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')
  if (account.role !== actor.role) throw new ActorChanged()
}
