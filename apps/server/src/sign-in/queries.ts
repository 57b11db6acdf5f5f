import type { OrganizationId, Role, UserId } from '@oxbow/contract'
import type { Db, Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'

export interface AccountToSignIn {
  organization_id: OrganizationId
  user_id: UserId
  delivery_email: string
  password_hash: string | null
  is_active: boolean
  api_key_sealed: Buffer
}

/** Finds a person's account. Skips bots, which have no password. */
export async function findAccountByEmail(
  db: Db,
  organization_id: OrganizationId,
  email: string,
): Promise<AccountToSignIn | undefined> {
  return db
    .selectFrom('user_account')
    .select([
      'organization_id',
      'id as user_id',
      'delivery_email',
      'password_hash',
      'is_active',
      'api_key_sealed',
    ])
    .where('organization_id', '=', organization_id)
    .where((eb) => eb(eb.fn('lower', ['delivery_email']), '=', email.toLowerCase()))
    .where('bot_type', 'is', null)
    .executeTakeFirst()
}

/**
 * Locks the account against changes of its password and against deactivation. Concurrent sign-ins
 * can share the lock.
 */
export async function lockAccount(
  tx: Tx,
  organization_id: OrganizationId,
  user_id: UserId,
): Promise<Pick<UserRow, 'password_hash' | 'is_active'> | undefined> {
  return tx
    .selectFrom('user_account')
    .select(['password_hash', 'is_active'])
    .where('organization_id', '=', organization_id)
    .where('id', '=', user_id)
    .forShare()
    .executeTakeFirst()
}

/** Lists the addresses and roles of active people by id, at most `limit`. */
export async function listPeopleToSignIn(
  db: Db,
  organization_id: OrganizationId,
  limit: number,
): Promise<{ delivery_email: string; role: Role }[]> {
  return db
    .selectFrom('user_account')
    .select(['delivery_email', 'role'])
    .where('organization_id', '=', organization_id)
    .where('is_active', '=', true)
    .where('bot_type', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}
