import { z } from 'zod'
import { prefixWithRealm } from '../plain/realm-prefix.ts'

export const emailVisibilities = [1, 3, 4] as const

/** Settings of an organization, each with its own event. On the wire they are called `realm_<name>`. */
export const organizationProperties = {
  add_emoji_by_admins_only: z.boolean(),
  allow_edit_history: z.boolean(),
  allow_message_deleting: z.boolean(),
  avatar_changes_disabled: z.boolean(),
  bot_creation_policy: z.int(),
  create_stream_policy: z.int(),
  default_code_block_language: z.string().nullable(),
  default_language: z.string(),
  default_twenty_four_hour_time: z.boolean(),
  description: z.string(),
  digest_emails_enabled: z.boolean(),
  digest_weekday: z.int(),
  disallow_disposable_email_addresses: z.boolean(),
  email_address_visibility: z.int(),
  email_changes_disabled: z.boolean(),
  emails_restricted_to_domains: z.boolean(),
  inline_image_preview: z.boolean(),
  inline_url_embed_preview: z.boolean(),
  invite_by_admins_only: z.boolean(),
  invite_required: z.boolean(),
  invite_to_stream_policy: z.int(),
  mandatory_topics: z.boolean(),
  message_content_allowed_in_email_notifications: z.boolean(),
  message_retention_days: z.int(),
  name: z.string(),
  name_changes_disabled: z.boolean(),
  notifications_stream_id: z.int(),
  plan_type: z.int(),
  private_message_policy: z.int(),
  send_welcome_emails: z.boolean(),
  signup_notifications_stream_id: z.int(),
  user_group_edit_policy: z.int(),
  video_chat_provider: z.int(),
  waiting_period_threshold: z.int(),
}
export type OrganizationProperty = keyof typeof organizationProperties

const pictureSource = z.literal(['G', 'U'])
const logoSource = z.literal(['D', 'U'])

/** Settings that one event per group reports together. On the wire they are also called `realm_<name>`. */
export const organizationGroups = {
  default: {
    allow_community_topic_editing: z.boolean(),
    allow_message_editing: z.boolean(),
    authentication_methods: z.record(z.string(), z.boolean()),
    message_content_delete_limit_seconds: z.int(),
    message_content_edit_limit_seconds: z.int(),
  },
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
