import { oxbowVersion } from '@oxbow/assets'
import { ApiError, type api, chatFeatureLevel, chatVersion, type ResponseOf } from '@oxbow/contract'
import type { Caller } from '../platform/actor.ts'
import type { App } from '../platform/app.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { pictureUrl } from './pictures.ts'
import { findOrganization } from './queries.ts'
import { isMethodEnabled, renderOrganizationDescription } from './views.ts'

type Settings = ResponseOf<typeof api.server.settings>

export async function getServerSettings(app: App, caller: Caller): Promise<Settings> {
  const organization =
    caller.subdomain === null ? undefined : await findOrganization(app.db, caller.subdomain)
  // The root host may have no organization; every other host must name one.
  if (!organization && caller.subdomain !== '') throw new ApiError('INVALID_SUBDOMAIN')
  const byEmail = isMethodEnabled('Email', organization)
  return {
    authentication_methods: getAuthenticationMethods(app, caller, organization),
    external_authentication_methods: [],
    chat_version: chatVersion,
    chat_feature_level: chatFeatureLevel,
    server_version: oxbowVersion,
    push_notifications_enabled: false,
    is_incompatible: /^(Chat|Zulip)Invalid$/i.test(caller.client),
    email_auth_enabled: byEmail,
    require_email_format_usernames: true,
    ...(organization && {
      realm_uri: caller.origin,
      realm_name: organization.name,
      realm_icon: pictureUrl(organization, 'icon'),
      realm_description: await renderOrganizationDescription(app, organization),
    }),
    ...(caller.legacyVersions && { zulip_version: chatVersion, zulip_feature_level: chatFeatureLevel }),
  }
}

/** Returns all methods that clients know. Methods that this server does not support are false. */
function getAuthenticationMethods(
  app: App,
  caller: Caller,
  organization: OrganizationRow | undefined,
): Record<string, boolean> {
  const email = isMethodEnabled('Email', organization)
  const dev = app.config.mode === 'development' && isMethodEnabled('Dev', organization)
  const absent = ['ldap', 'remoteuser', 'saml', ...[1, 2, 3, 4, 5].map((n) => `ext_provider_${n}`)]
  const legacy = caller.legacyNames ? ['github', 'google', 'gitlab', 'azuread', 'apple'] : []
  return {
    password: email,
    dev,
    email,
    ...Object.fromEntries([...absent, ...legacy].map((key) => [key, false])),
  }
}
