import type { OrganizationId, UserId } from '@oxbow/contract'
import type { Db } from '../platform/database/database.ts'

export interface AccountToSignIn {
  organization_id: OrganizationId
  user_id: UserId
  delivery_email: string
  password_hash: string | null
  is_active: boolean
  api_key_sealed: Buffer
}

/** Finds a person's account; bots have no password. */
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
