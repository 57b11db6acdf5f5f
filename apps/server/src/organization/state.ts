import {
  type OrganizationProperty,
  organizationProperties,
  prefixWithRealm,
  type Role,
} from '@oxbow/contract'
import type { StateSlice } from '../events/state-slice.ts'
import { getBotDomain } from '../identity/accounts/email-address.ts'
import { getRole } from '../identity/accounts/queries.ts'
import type { Actor } from '../platform/actor.ts'
import type { Config } from '../platform/config/settings.ts'
import type { OrganizationRow } from '../platform/database/tables.ts'
import { thumbnailFormats } from '../platform/images/thumbnail-formats.ts'
import { viewMethods } from './authentication-methods.ts'
import { viewNoticeStreams } from './notification-streams.ts'
import { viewPicture } from './pictures.ts'
import { limitedPlan } from './plans.ts'
import { getOrganization, getServerGeneration } from './queries.ts'
import { isMethodEnabled } from './views.ts'

export const organizationState: StateSlice = {
  types: ['realm'],
  async read({ app: { config }, actor, db }) {
    const organization = await getOrganization(db, actor.organization_id)
    return {
      ...prefixWithRealm(viewProperties(organization, await getRole(db, actor))),
      ...prefixWithRealm(viewGroupedProperties(config, organization)),
      ...viewDerived(config, actor, organization),
      ...serverProperties,
      server_inline_url_embed_preview: config.link_previews,
      max_file_upload_size_mib: config.max_upload_mib,
      server_avatar_changes_disabled: config.avatar_changes_disabled,
      development_environment: config.mode === 'development',
      server_generation: await getServerGeneration(db),
    }
  },
}

/** Zoom calls are not supported, so no user has a token. */
export const videoCallsState: StateSlice = {
  types: ['video_calls'],
  read: async () => ({ has_zoom_token: false }),
}

const propertyNames = Object.keys(organizationProperties) as OrganizationProperty[]

/** Returns the properties that change one at a time, under their wire names, for an account with this role. */
export function viewProperties(organization: OrganizationRow, role: Role) {
  return {
    ...Object.fromEntries(propertyNames.map((name) => [name, organization[name]])),
    ...viewNoticeStreams(organization, role),
    digest_emails_enabled: organization.digest_emails_enabled && serverProperties.settings_send_digest_emails,
  }
}

/** Returns the properties that change together, in one event with several values. */
export function viewGroupedProperties(config: Config, organization: OrganizationRow) {
  return {
    allow_community_topic_editing: organization.allow_community_topic_editing,
    allow_message_editing: organization.allow_message_editing,
    message_content_delete_limit_seconds: organization.message_content_delete_limit_seconds,
    message_content_edit_limit_seconds: organization.message_content_edit_limit_seconds,
    authentication_methods: viewMethods(config, organization),
    ...viewPicture(organization, 'icon'),
    ...viewPicture(organization, 'logo'),
    ...viewPicture(organization, 'night_logo'),
  }
}

function viewDerived(config: Config, { origin }: Actor, organization: OrganizationRow) {
  const byEmail = isMethodEnabled('Email', organization)
  return {
    realm_uri: origin,
    realm_bot_domain: getBotDomain(config, origin),
    realm_email_auth_enabled: byEmail,
    realm_password_auth_enabled: byEmail,
    realm_upload_quota: organization.upload_quota,
    jitsi_server_url: config.jitsi_server_url,
    chat_plan_is_not_limited: organization.plan_type !== limitedPlan,
  }
}

export const videoChatProviders = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
}

/** Values that are the same for every organization: limits and server features. */
const serverProperties = {
  realm_available_video_chat_providers: videoChatProviders,
  realm_community_topic_editing_limit_seconds: 86_400,
  realm_is_zephyr_mirror_realm: false,
  realm_presence_disabled: false,
  realm_push_notifications_enabled: false,
  max_avatar_file_size_mib: 5,
  max_icon_file_size: 5,
  max_logo_file_size: 5,
  server_inline_image_preview: true,
  server_name_changes_disabled: false,
  server_thumbnail_formats: thumbnailFormats.map((format) => ({ ...format })),
  // Digests are not supported yet, so clients hide them.
  settings_send_digest_emails: false,
  upgrade_text_for_wide_organization_logo: '',
}
