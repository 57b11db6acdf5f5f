import { ApiError } from '@oxbow/contract'
import type { Actor, Caller, Credentials } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { findAccountByKeyHash } from './queries.ts'

/**
 * The account behind an API key. The key is found by its keyed hash, so the time it takes tells nothing about keys;
 * the address must then be the account's real one, never the one shown in its place.
 */
export async function authenticate(
  app: App,
  caller: Caller,
  { email, api_key }: Credentials,
): Promise<Actor> {
  const api_key_hash = app.secrets.hash(api_key)
  const account = await findAccountByKeyHash(app.db, api_key_hash)
  if (!account || account.delivery_email.toLowerCase() !== email.toLowerCase())
    throw new ApiError('INVALID_API_KEY')
  if (account.organization_deactivated_at) throw new ApiError('ORGANIZATION_DEACTIVATED')
  if (!account.is_active) throw new ApiError('ACCOUNT_DEACTIVATED')
  if (account.subdomain !== caller.subdomain) throw new ApiError('WRONG_SUBDOMAIN')
  const { user_id, organization_id, role, bot_type } = account
  return { ...caller, user_id, organization_id, role, bot_type, api_key_hash }
}
