import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { accessOrganizationOfCaller } from '../organization/access.ts'
import { isEmailAddress } from '../organization/email-address.ts'
import { isMethodEnabled } from '../organization/views.ts'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { clearLoginAttempts, countLoginAttempt } from './login-attempts.ts'
import { type AccountToSignIn, findAccountByEmail } from './queries.ts'

type Fetch = typeof api.authentication.fetchApiKey
type DevFetch = typeof api.authentication.devFetchApiKey

export async function fetchApiKey(
  app: App,
  caller: Caller,
  given: ParamsOf<Fetch>,
): Promise<ResponseOf<Fetch>> {
  const organization = await accessOrganizationOfCaller(app.db, caller)
  const username = readUsername(given.username)
  const wait = await countLoginAttempt(app.db, organization.id, username)
  if (wait !== undefined) throw new ApiError('RATE_LIMIT_HIT', { 'retry-after': wait })

  const account = await findAccountByEmail(app.db, organization.id, username)
  if (account && !account.is_active)
    throw new ApiError('LOGIN_ACCOUNT_DEACTIVATED', { reason: 'user disable' })
  refuseDeactivated(organization)
  if (!isMethodEnabled('Email', organization)) {
    throw new ApiError('LOGIN_PASSWORD_DISABLED', { reason: 'password auth disabled' })
  }
  const matches = await app.passwords.verify(account?.password_hash, given.password)
  if (!account || !matches) throw new ApiError('LOGIN_INCORRECT', { reason: 'incorrect_creds' })
  await clearLoginAttempts(app.db, organization.id, username)
  return reveal(app, account)
}

export async function devFetchApiKey(
  app: App,
  caller: Caller,
  given: ParamsOf<DevFetch>,
): Promise<ResponseOf<DevFetch>> {
  if (app.config.mode !== 'development') throw new ApiError('NOT_A_DEVELOPMENT_SERVER')
  const organization = await accessOrganizationOfCaller(app.db, caller)
  if (!isMethodEnabled('Dev', organization)) throw new ApiError('NOT_A_DEVELOPMENT_SERVER')
  const username = readUsername(given.username)
  const account = await findAccountByEmail(app.db, organization.id, username)
  refuseDeactivated(organization)
  if (!account) throw new ApiError('LOGIN_NOT_REGISTERED', { reason: 'unregistered' })
  if (!account.is_active) throw new ApiError('LOGIN_ACCOUNT_DEACTIVATED', { reason: 'user disable' })
  return reveal(app, account)
}

function readUsername(given: string): string {
  const username = given.trim()
  if (!isEmailAddress(username)) throw new ApiError('INVALID_EMAIL_FORMAT')
  return username
}

function refuseDeactivated(organization: OrganizationRow): void {
  if (organization.deactivated_at) {
    throw new ApiError('LOGIN_ORGANIZATION_DEACTIVATED', { reason: 'realm deactivated' })
  }
}

function reveal(app: App, account: AccountToSignIn) {
  return { api_key: app.secrets.decrypt(account.api_key_sealed), email: account.delivery_email }
}
