import { ApiError, type api, isAdministrator, type ResponseOf } from '@oxbow/contract'
import { accessOrganizationOfCaller } from '../organization/access.ts'
import { isMethodEnabled } from '../organization/views.ts'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { listPeopleToSignIn } from './queries.ts'

/** Maximum number of accounts to choose from on a development server. */
const maxListed = 1_000

/**
 * Returns the organization of the host. Throws if it does not allow signing in without a password.
 */
export async function accessDevelopmentOrganization(app: App, caller: Caller): Promise<OrganizationRow> {
  if (app.config.mode !== 'development') throw new ApiError('NOT_A_DEVELOPMENT_SERVER')
  const organization = await accessOrganizationOfCaller(app.db, caller)
  if (!isMethodEnabled('Dev', organization)) throw new ApiError('NOT_A_DEVELOPMENT_SERVER')
  return organization
}

export async function listDevelopmentUsers(
  app: App,
  caller: Caller,
): Promise<ResponseOf<typeof api.authentication.listDevelopmentUsers>> {
  const { id } = await accessDevelopmentOrganization(app, caller)
  const people = await listPeopleToSignIn(app.db, id, maxListed)
  const { true: administrators = [], false: others = [] } = Object.groupBy(people, ({ role }) =>
    isAdministrator(role) ? 'true' : 'false',
  )
  const view = ({ delivery_email: email }: { delivery_email: string }) => ({
    email,
    realm_uri: caller.origin,
  })
  return { direct_admins: administrators.map(view), direct_users: others.map(view) }
}

/** Always throws, because signing in with Google is not supported. */
export async function fetchGoogleClientId(): Promise<never> {
  throw new ApiError('GOOGLE_CLIENT_ID_MISSING', { google_client_id: '' })
}
