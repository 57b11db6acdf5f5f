import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { openApiKey } from '../identity/api-keys.ts'
import { accessOrganizationOfCaller } from '../organization/access.ts'
import { isEmailAddress } from '../organization/email-address.ts'
import { isMethodEnabled } from '../organization/views.ts'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { type AccountToSignIn, findAccountByEmail } from './queries.ts'
import { admitAttempt, recordSuccess } from './sign-in-attempts.ts'

type Fetch = typeof api.authentication.fetchApiKey
type DevFetch = typeof api.authentication.devFetchApiKey

export async function fetchApiKey(
  app: App,
  caller: Caller,
  given: ParamsOf<Fetch>,
): Promise<ResponseOf<Fetch>> {
  const organization = await accessOrganizationOfCaller(app.db, caller)
  const username = parseUsername(given.username)
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
  const matches = await app.passwords.verify(account?.password_hash, given.password, attempt)
  if (!account || !matches) throw new ApiError('LOGIN_INCORRECT', { reason: 'incorrect_creds' })
  await recordSuccess(app.db, attempt, account.user_id)
  // Checked only after the password, so that strangers cannot learn who had an account.
  if (!account.is_active) throw new ApiError('LOGIN_ACCOUNT_DEACTIVATED', { reason: 'user disable' })
  return viewApiKey(app, account)
}

export async function devFetchApiKey(
  app: App,
  caller: Caller,
  given: ParamsOf<DevFetch>,
): Promise<ResponseOf<DevFetch>> {
  if (app.config.mode !== 'development') throw new ApiError('NOT_A_DEVELOPMENT_SERVER')
  const organization = await accessOrganizationOfCaller(app.db, caller)
  if (!isMethodEnabled('Dev', organization)) throw new ApiError('NOT_A_DEVELOPMENT_SERVER')
  const username = parseUsername(given.username)
  const account = await findAccountByEmail(app.db, organization.id, username)
  refuseDeactivated(organization)
  if (!account) throw new ApiError('LOGIN_NOT_REGISTERED', { reason: 'unregistered' })
  if (!account.is_active) throw new ApiError('LOGIN_ACCOUNT_DEACTIVATED', { reason: 'user disable' })
  return viewApiKey(app, account)
}

function parseUsername(given: string): string {
  const username = given.trim()
  if (!isEmailAddress(username)) throw new ApiError('INVALID_EMAIL_FORMAT')
  return username
}

function refuseDeactivated(organization: OrganizationRow): void {
  if (organization.deactivated_at) {
    throw new ApiError('LOGIN_ORGANIZATION_DEACTIVATED', { reason: 'realm deactivated' })
  }
}

function viewApiKey(app: App, account: AccountToSignIn) {
  return { api_key: openApiKey(app, { ...account, id: account.user_id }), email: account.delivery_email }
}
