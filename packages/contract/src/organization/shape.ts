import { z } from 'zod'
import { inAlphabeticalOrder, valuesOf } from '../kernel/setting.ts'
import { prefixWithRealm } from '../plain/realm-prefix.ts'
import { groupedSettings, singleSettings } from './settings.ts'

/** Properties of an organization that each have their own event. On the wire they are called `realm_<name>`. */
export const organizationProperties = inAlphabeticalOrder({
  ...valuesOf(singleSettings),
  /** Operators change the plan, with `oxbow organization`. */
  plan_type: z.int(),
})
export type OrganizationProperty = keyof typeof organizationProperties

const pictureSource = z.literal(['G', 'U'])
const logoSource = z.literal(['D', 'U'])

/** Properties that one event per group reports together. On the wire they are also called `realm_<name>`. */
export const organizationGroups = {
  default: inAlphabeticalOrder(valuesOf(groupedSettings)),
  icon: { icon_source: pictureSource, icon_url: z.string() },
  logo: { logo_source: logoSource, logo_url: z.string() },
  night_logo: { night_logo_source: logoSource, night_logo_url: z.string() },
}

const megabytes = z.int()

/** The part of the initial state that clients get if they request the type `realm`. */
export const organizationState = {
  ...prefixWithRealm(organizationProperties),
  ...prefixWithRealm(organizationGroups.default),
  ...prefixWithRealm(organizationGroups.icon),
  ...prefixWithRealm(organizationGroups.logo),
  ...prefixWithRealm(organizationGroups.night_logo),
  realm_available_video_chat_providers: z.record(
    z.string(),
    z.strictObject({ id: z.int(), name: z.string() }),
  ),
  realm_bot_domain: z.string(),
  realm_community_topic_editing_limit_seconds: z.int().nullable(),
  realm_default_external_accounts: z.record(
    z.string(),
    z.strictObject({ text: z.string(), name: z.string(), hint: z.string(), url_pattern: z.string() }),
  ),
  realm_email_auth_enabled: z.boolean(),
  realm_is_zephyr_mirror_realm: z.boolean(),
  realm_password_auth_enabled: z.boolean(),
  realm_presence_disabled: z.boolean(),
  realm_push_notifications_enabled: z.boolean(),
  realm_upload_quota: z.int().nullable(),
  realm_uri: z.string(),
  chat_plan_is_not_limited: z.boolean(),
  development_environment: z.boolean(),
  jitsi_server_url: z.string().nullable(),
  max_avatar_file_size_mib: megabytes,
  max_file_upload_size_mib: megabytes,
  max_icon_file_size: megabytes,
  max_logo_file_size: megabytes,
  password_min_guesses: z.int(),
  password_min_length: z.int(),
  server_avatar_changes_disabled: z.boolean(),
  server_generation: z.int(),
  server_inline_image_preview: z.boolean(),
  server_inline_url_embed_preview: z.boolean(),
  server_name_changes_disabled: z.boolean(),
  server_thumbnail_formats: z.array(
    z.strictObject({
      name: z.string(),
      max_width: z.int(),
      max_height: z.int(),
      format: z.string(),
      animated: z.boolean(),
    }),
  ),
  settings_send_digest_emails: z.boolean(),
  upgrade_text_for_wide_organization_logo: z.string(),
}
