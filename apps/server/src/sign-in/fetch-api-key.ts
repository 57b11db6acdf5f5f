import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { openApiKey } from '../identity/api-keys.ts'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import { checkPassword, parseUsername, refuseDeactivated } from './check-password.ts'
import { accessDevelopmentOrganization } from './development.ts'
import { type AccountToSignIn, findAccountByEmail } from './queries.ts'

type Fetch = typeof api.authentication.fetchApiKey
type DevFetch = typeof api.authentication.devFetchApiKey

export async function fetchApiKey(
  app: App,
  caller: Caller,
  params: ParamsOf<Fetch>,
): Promise<ResponseOf<Fetch>> {
  return viewApiKey(app, await checkPassword(app, caller, params))
}

export async function devFetchApiKey(
  app: App,
  caller: Caller,
  params: ParamsOf<DevFetch>,
): Promise<ResponseOf<DevFetch>> {
  const organization = await accessDevelopmentOrganization(app, caller)
  const username = parseUsername(params.username)
  const account = await findAccountByEmail(app.db, organization.id, username)
  refuseDeactivated(organization)
  if (!account) throw new ApiError('LOGIN_NOT_REGISTERED', { reason: 'unregistered' })
  if (!account.is_active) throw new ApiError('LOGIN_ACCOUNT_DEACTIVATED', { reason: 'user disable' })
  return viewApiKey(app, account)
}

function viewApiKey(app: App, account: AccountToSignIn) {
  return { api_key: openApiKey(app, { ...account, id: account.user_id }), email: account.delivery_email }
}
