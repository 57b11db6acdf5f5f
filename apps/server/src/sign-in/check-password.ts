import { ApiError } from '@oxbow/contract'
import { isEmailAddress } from '../identity/accounts/email-address.ts'
import { accessOrganizationOfCaller } from '../organization/access.ts'
import { isMethodEnabled } from '../organization/views.ts'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { type AccountToSignIn, findAccountByEmail } from './queries.ts'
import { admitAttempt, recordSuccess } from './sign-in-attempts.ts'

/**
 * Returns the active account with this name and password. Attempts are counted and delayed in the
 * same way whether or not the account exists, and for API keys as for sessions.
 */
export async function checkPassword(
  app: App,
  caller: Caller,
  credentials: { username: string; password: string },
): Promise<AccountToSignIn> {
  const organization = await accessOrganizationOfCaller(app.db, caller)
  const username = parseUsername(credentials.username)
  refuseDeactivated(organization)
  if (!isMethodEnabled('Email', organization)) {
    throw new ApiError('LOGIN_PASSWORD_DISABLED', { reason: 'password auth disabled' })
  }
  const attempt = await admitAttempt(app, {
    organization_id: organization.id,
    username,
    address: caller.address,
  })
  if ('retryAfter' in attempt) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': attempt.retryAfter })

  const account = await findAccountByEmail(app.db, organization.id, username)
  const matches = await app.passwords.verify(account?.password_hash, credentials.password, attempt)
  if (!account || !matches) throw new ApiError('LOGIN_INCORRECT', { reason: 'incorrect_creds' })
  await recordSuccess(app.db, attempt, account.user_id)
  // Checked only after the password, so that others cannot learn who had an account.
  if (!account.is_active) throw new ApiError('LOGIN_ACCOUNT_DEACTIVATED', { reason: 'user disable' })
  return account
}

export function parseUsername(typedUsername: string): string {
  const username = typedUsername.trim()
  if (!isEmailAddress(username)) throw new ApiError('INVALID_EMAIL_FORMAT')
  return username
}

export function refuseDeactivated(organization: OrganizationRow): void {
  if (organization.deactivated_at) {
    throw new ApiError('LOGIN_ORGANIZATION_DEACTIVATED', { reason: 'realm deactivated' })
  }
}
