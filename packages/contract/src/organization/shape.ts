import { z } from 'zod'
import { field, object } from '../kernel/field.ts'
import { inAlphabeticalOrder, valuesOf } from '../kernel/setting.ts'
import { prefixWithRealm } from '../plain/realm-prefix.ts'
import { groupedSettings, singleSettings } from './settings.ts'

/** Properties of an organization that each have their own event. On the wire they are called `realm_<name>`. */
export const organizationProperties = inAlphabeticalOrder({
  ...valuesOf(singleSettings),
  /** Operators change the plan, with `oxbow organization`. */
  plan_type: field(
    z.int(),
    'The plan of the organization: 1 self-hosted, 2 limited, 3 standard, 4 standard free of charge.',
  ),
})
export type OrganizationProperty = keyof typeof organizationProperties

const logoSource = z.literal(['D', 'U'])
const pictureUrl = (picture: string) => field(z.string(), `The URL of the organization's ${picture}.`)

/** Properties that one event per group reports together. On the wire they are also called `realm_<name>`. */
export const organizationGroups = {
  default: inAlphabeticalOrder(valuesOf(groupedSettings)),
  icon: {
    icon_source: field(
      z.literal(['G', 'U']),
      'Where the icon comes from: `G` is an external service, `U` is an uploaded picture.',
    ),
    icon_url: pictureUrl('icon'),
  },
  logo: {
    logo_source: field(
      logoSource,
      'Where the logo comes from: `D` is the default, `U` is an uploaded picture.',
    ),
    logo_url: pictureUrl('logo'),
  },
  night_logo: {
    night_logo_source: field(
      logoSource,
      'Where the logo for dark backgrounds comes from: `D` is the default, `U` is an uploaded picture.',
    ),
    night_logo_url: pictureUrl('logo for dark backgrounds'),
  },
}

const megabytes = z.int()

/** The part of the initial state that clients get if they request the type `realm`. */
export const organizationState = {
  ...prefixWithRealm(organizationProperties),
  ...prefixWithRealm(organizationGroups.default),
  ...prefixWithRealm(organizationGroups.icon),
  ...prefixWithRealm(organizationGroups.logo),
  ...prefixWithRealm(organizationGroups.night_logo),
  realm_available_video_chat_providers: field(
    z.record(
      z.string(),
      object({
        id: field(z.int(), 'The id of the provider.'),
        name: field(z.string(), 'The display name of the provider.'),
      }),
    ),
    'The video call providers that can be chosen, by name.',
  ),
  realm_bot_domain: field(z.string(), 'The domain of the addresses of bots.'),
  realm_community_topic_editing_limit_seconds: field(
    z.int().nullable(),
    'For how many seconds after a message was sent everyone may change its topic. Null for no limit.',
  ),
  realm_default_external_accounts: field(
    z.record(
      z.string(),
      object({
        text: field(z.string(), 'The display name of the service.'),
        name: field(z.string(), 'The label of a profile field of this kind.'),
        hint: field(z.string(), 'A hint for people who fill in the field.'),
        url_pattern: field(
          z.string(),
          "The URL of a person's account at the service, with `%(username)s` for the value of the field.",
        ),
      }),
    ),
    'The kinds of external accounts for custom profile fields, by name.',
  ),
  realm_email_auth_enabled: field(
    z.boolean(),
    'Whether users can sign in with an e-mail address and a password.',
  ),
  realm_is_zephyr_mirror_realm: field(z.boolean(), 'Always false: no other system is mirrored.'),
  realm_password_auth_enabled: field(z.boolean(), 'Whether users can sign in with a password.'),
  realm_presence_disabled: field(
    z.boolean(),
    'Whether presence is switched off for the organization. Always false.',
  ),
  realm_push_notifications_enabled: field(
    z.boolean(),
    'Whether the server sends push notifications. Always false.',
  ),
  realm_upload_quota: field(
    z.int().nullable(),
    'How many bytes of files the organization may store. Null for no limit.',
  ),
  realm_uri: field(z.string(), 'The URL of the organization.'),
  chat_plan_is_not_limited: field(z.boolean(), 'Whether the plan of the organization has no limits.'),
  development_environment: field(z.boolean(), 'Whether the server runs in development mode.'),
  jitsi_server_url: field(
    z.string().nullable(),
    'The URL of the Jitsi Meet server for video calls. Null if there is none.',
  ),
  max_avatar_file_size_mib: field(megabytes, 'The maximum size of an avatar, in MiB.'),
  max_file_upload_size_mib: field(
    megabytes,
    'The maximum size of an uploaded file, in MiB. 0 if uploads are disabled.',
  ),
  max_icon_file_size: field(megabytes, "The maximum size of the organization's icon, in MiB."),
  max_logo_file_size: field(megabytes, "The maximum size of the organization's logo, in MiB."),
  password_min_guesses: field(
    z.int(),
    'How many guesses a password must withstand, as estimated by the server.',
  ),
  password_min_length: field(z.int(), 'The minimum length of a password, in characters.'),
  server_avatar_changes_disabled: field(
    z.boolean(),
    'Whether the server prevents users of all organizations from changing their avatar.',
  ),
  server_generation: field(
    z.int(),
    'When the database of the server was created, in seconds since 1970-01-01 UTC. It is the same on all nodes.',
  ),
  server_inline_image_preview: field(
    z.boolean(),
    'Whether the server can show pictures below the links to them.',
  ),
  server_inline_url_embed_preview: field(z.boolean(), 'Whether the server can preview linked pages.'),
  server_name_changes_disabled: field(
    z.boolean(),
    'Whether the server prevents users of all organizations from changing their name.',
  ),
  server_thumbnail_formats: field(
    z.array(
      object({
        name: field(z.string(), 'The last part of the URL of a thumbnail.'),
        max_width: field(
          z.int(),
          'The maximum width, in pixels. A thumbnail keeps the shape of the picture and is never enlarged.',
        ),
        max_height: field(z.int(), 'The maximum height, in pixels.'),
        format: field(z.string(), 'The type of the file, like `webp`.'),
        animated: field(
          z.boolean(),
          'Whether the thumbnail of an animated picture is animated too. For pictures that are not animated, this makes no difference.',
        ),
      }),
    ),
    'The formats of the thumbnails of uploaded pictures. `/user_uploads/thumbnail/{path_id}/{name}` is the thumbnail of an upload, for everyone who may read the upload.',
  ),
  settings_send_digest_emails: field(z.boolean(), 'Whether the server sends digest e-mails.'),
  upgrade_text_for_wide_organization_logo: field(
    z.string(),
    'Why a logo cannot be uploaded on the current plan. Empty if it can.',
  ),
}
