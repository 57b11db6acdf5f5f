import {
  flag,
  id,
  integer,
  oneOf,
  optionalId,
  optionalText,
  optionalTimestamp,
  text,
  textList,
  timestamp,
} from './fields.ts'
import { recordType } from './record-type.ts'

const maxInteger = 2 ** 31 - 1
const version = (about: string) => integer(0, maxInteger, about)

/**
 * Returns SQL for a column of the organization that refers to a stream: the stream's id, or null if
 * the stream is private.
 */
const publicStream = (column: string): string =>
  `(select s.id from stream s where s.organization_id = r.id and s.id = r.${column} and not s.invite_only)`

export const organizationRecords = [
  recordType({
    name: 'organization',
    table: 'organization',
    about: 'The organization and its settings. There is exactly one.',
    rows: 'r.id = $organization',
    order: 'r.id',
    inPublic: true,
    fields: {
      name: text(200, 'name of the organization'),
      description: text(10_000, 'description in Markdown'),
      created_at: timestamp('when it was created'),
      deactivated_at: optionalTimestamp('when it was deactivated; null if it is active'),
      email_address_visibility: oneOf(
        [1, 3, 4],
        'who sees e-mail addresses: everyone, administrators, nobody',
      ),
      emails_restricted_to_domains: flag('whether only addresses of its domains may join'),
      disallow_disposable_email_addresses: flag('whether disposable addresses are refused'),
      name_changes_disabled: flag('whether only administrators change names'),
      email_changes_disabled: flag('whether only administrators change addresses'),
      avatar_changes_disabled: flag('whether only administrators change pictures'),
      bot_creation_policy: integer(1, 3, 'who creates bots'),
      disabled_authentication_methods: textList(100, 'methods that are switched off'),
      add_emoji_by_admins_only: flag('whether only administrators add emoji'),
      allow_community_topic_editing: flag('whether everyone may change topics'),
      allow_edit_history: flag('whether earlier versions of messages are shown'),
      allow_message_deleting: flag('whether authors may delete messages'),
      allow_message_editing: flag('whether authors may edit messages'),
      create_stream_policy: integer(1, 3, 'who creates streams'),
      default_code_block_language: optionalText(100, 'language of code without one'),
      default_language: text(50, 'language of new accounts'),
      default_twenty_four_hour_time: flag('whether new accounts see times in 24-hour format'),
      digest_emails_enabled: flag('whether digests are sent'),
      digest_weekday: integer(0, 6, 'day of digests; 0 is Monday'),
      inline_image_preview: flag('whether pictures are shown in messages'),
      inline_url_embed_preview: flag('whether linked pages are shown in messages'),
      invite_by_admins_only: flag('whether only administrators invite'),
      invite_required: flag('whether joining needs an invitation'),
      invite_to_stream_policy: integer(1, 3, 'who adds others to streams'),
      mandatory_topics: flag('whether messages need a topic'),
      message_content_allowed_in_email_notifications: flag('whether e-mails may quote messages'),
      message_content_delete_limit_seconds: integer(0, maxInteger, 'how long authors may delete'),
      message_content_edit_limit_seconds: integer(0, maxInteger, 'how long authors may edit'),
      message_retention_days: integer(-1, maxInteger, 'days after which messages are deleted; -1 for never'),
      notifications_stream_id: optionalId('recipient', 'stream of announcements', {
        publicSql: publicStream('notifications_stream_id'),
      }),
      signup_notifications_stream_id: optionalId('recipient', 'stream of notices about new people', {
        publicSql: publicStream('signup_notifications_stream_id'),
      }),
      private_message_policy: integer(1, 2, 'whether private messages are allowed'),
      send_welcome_emails: flag('whether new people are welcomed'),
      user_group_edit_policy: integer(1, 2, 'who changes user groups'),
      video_chat_provider: integer(0, 32_767, 'provider of video calls'),
      waiting_period_threshold: integer(0, maxInteger, 'days for which an account is new'),
      icon_source: oneOf(['external', 'uploaded'], 'whether there is a file `organization/icon.png`'),
      icon_version: version('version of the icon'),
      logo_source: oneOf(['default', 'uploaded'], 'whether there is a file `organization/logo.png`'),
      logo_version: version('version of the logo'),
      night_logo_source: oneOf(
        ['default', 'uploaded'],
        'whether there is a file `organization/night_logo.png`',
      ),
      night_logo_version: version('version of the logo for dark mode'),
    },
  }),
  recordType({
    name: 'organization_domain',
    table: 'organization_domain',
    about: 'A domain whose e-mail addresses may join.',
    order: 'r.id',
    inPublic: true,
    fields: {
      domain: text(300, 'the domain in lower case'),
      allow_subdomains: flag('whether its subdomains count'),
    },
  }),
  recordType({
    name: 'linkifier',
    table: 'linkifier',
    about: 'A pattern that turns texts into links.',
    order: 'r.id',
    inPublic: true,
    fields: {
      pattern: text(2_000, 'regular expression'),
      url_format: text(2_000, 'URL with names of groups'),
    },
  }),
  recordType({
    name: 'profile_field',
    table: 'profile_field',
    about: 'A field of the profiles.',
    order: 'r.id',
    inPublic: true,
    fields: {
      id: id('profile_field', 'id of the field'),
      name: text(200, 'label'),
      type: integer(1, 7, 'type of its values; 6 is a list of people'),
      hint: text(1_000, 'help for people who fill it in'),
      field_data: text(100_000, 'JSON with choices, or the pattern of an external account; else empty'),
      position: integer(-maxInteger, maxInteger, 'order of the fields'),
    },
  }),
]
