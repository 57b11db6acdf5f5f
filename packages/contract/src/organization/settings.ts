import { z } from 'zod'
import { streamId } from '../ids.ts'
import { json, quotableText } from '../kernel/params.ts'
import { maxCharacters, maxKeys, nonBlank, stringOrInteger } from '../kernel/schemas.ts'
import { amountSetting, choiceSetting, type OutputOf, type Setting, setting } from '../kernel/setting.ts'

const membersPolicy = '1 all members, 2 administrators, 3 full members'

const noticeStreamSetting = (about: string) =>
  setting(z.int(), `${about} -1 for none, and for guests.`, {
    param: () => json(streamId.optional(), `${about} A negative number for none. Unchanged if absent.`),
  })

/** Marks a setting that is sent in an event of several settings, instead of in its own event. */
const grouped = <Declared extends Setting>(declared: Declared) => ({ ...declared, isGrouped: true as const })

/**
 * The settings of an organization, in the order in which their parameters are checked. On the wire they are called
 * `realm_<name>`, except as parameters.
 */
export const organizationSettings = {
  name: setting(z.string(), 'The name of the organization.', {
    param: () =>
      quotableText(nonBlank().optional(), 'The new name, of up to 40 characters. Unchanged if absent.'),
    stored: z.string().max(200),
  }),
  description: setting(z.string(), 'The description of the organization, in Markdown.', {
    param: () =>
      quotableText(
        z.string().optional(),
        'The new description, in Markdown, of up to 1000 characters. Unchanged if absent.',
      ),
    stored: z.string().max(10_000),
  }),
  emails_restricted_to_domains: setting(
    z.boolean(),
    'Whether only e-mail addresses of the allowed domains may be used.',
  ),
  disallow_disposable_email_addresses: setting(
    z.boolean(),
    'Whether addresses of disposable e-mail services are refused.',
  ),
  invite_required: setting(z.boolean(), 'Whether an invitation is needed to join the organization.'),
  invite_by_admins_only: setting(z.boolean(), 'Whether only administrators may invite people.'),
  name_changes_disabled: setting(z.boolean(), 'Whether only administrators may change their name.'),
  email_changes_disabled: setting(
    z.boolean(),
    'Whether only administrators may change their e-mail address.',
  ),
  avatar_changes_disabled: setting(z.boolean(), 'Whether only administrators may change their avatar.'),
  inline_image_preview: setting(z.boolean(), 'Whether pictures are shown below the links to them.'),
  inline_url_embed_preview: setting(
    z.boolean(),
    'Whether the title, description and picture of linked pages are shown below messages.',
  ),
  add_emoji_by_admins_only: setting(z.boolean(), 'Whether only administrators may add custom emoji.'),
  allow_message_deleting: setting(z.boolean(), 'Whether users may delete their own messages.'),
  message_content_delete_limit_seconds: grouped(
    amountSetting('For how many seconds users may delete their own messages. 0 for no limit.'),
  ),
  allow_message_editing: grouped(setting(z.boolean(), 'Whether users may edit their own messages.')),
  allow_community_topic_editing: grouped(
    setting(
      z.boolean(),
      'Whether everyone may change the topics of messages, for one day after they were sent.',
    ),
  ),
  enable_read_receipts: setting(z.boolean(), 'Whether people may see who has read a message.', {
    since: 371,
  }),
  mandatory_topics: setting(z.boolean(), 'Whether every stream message needs a topic.'),
  message_content_edit_limit_seconds: grouped(
    amountSetting('For how many seconds users may edit their own messages. 0 for no limit.'),
  ),
  allow_edit_history: setting(z.boolean(), 'Whether users may see earlier versions of edited messages.'),
  default_language: setting(z.string(), 'The language of new accounts, as a code like `en`.', {
    param: (about) => quotableText(z.string().optional(), about),
    stored: z.string().max(50),
  }),
  waiting_period_threshold: amountSetting('After how many days a new member becomes a full member.'),
  authentication_methods: grouped(
    setting(
      z.record(z.string(), z.boolean()),
      'Whether each authentication method is enabled, by its name.',
      {
        param: () =>
          json(
            maxKeys(100).pipe(z.record(z.string(), z.boolean())).optional(),
            'Whether each authentication method is enabled, by its name. Methods that are not listed stay unchanged. Owners only.',
          ),
      },
    ),
  ),
  notifications_stream_id: noticeStreamSetting('The id of the stream where new streams are announced.'),
  signup_notifications_stream_id: noticeStreamSetting('The id of the stream where new users are announced.'),
  message_retention_days: setting(z.int(), 'For how many days messages are kept. -1 for no limit.', {
    param: () =>
      json(
        stringOrInteger().optional(),
        'For how many days messages are kept, or `"forever"`. Unchanged if absent. Owners only.',
      ),
    stored: z
      .int()
      .min(-1)
      .max(2 ** 31 - 1),
  }),
  send_welcome_emails: setting(z.boolean(), 'Whether new users get welcome e-mails.'),
  digest_emails_enabled: setting(z.boolean(), 'Whether users who were away get digest e-mails.'),
  message_content_allowed_in_email_notifications: setting(
    z.boolean(),
    'Whether e-mail notifications may include the content of messages.',
  ),
  bot_creation_policy: choiceSetting(
    [1, 2, 3],
    'Who may create bots: 1 all members; 2 all members, except that only administrators may create generic bots; 3 administrators.',
  ),
  create_stream_policy: choiceSetting([1, 2, 3], `Who may create streams: ${membersPolicy}.`),
  invite_to_stream_policy: choiceSetting(
    [1, 2, 3],
    `Who may subscribe other users to streams: ${membersPolicy}.`,
  ),
  user_group_edit_policy: choiceSetting(
    [1, 2],
    'Who may create and change user groups: 1 all members, 2 administrators.',
  ),
  private_message_policy: choiceSetting(
    [1, 2],
    'Whether people may send private messages: 1 yes, 2 only to and from bots.',
  ),
  resolve_topics_policy: choiceSetting(
    [1, 2, 3],
    `Who may mark topics as resolved, and open them again: ${membersPolicy}.`,
    { since: 371 },
  ),
  email_address_visibility: choiceSetting(
    [1, 3, 4],
    'Who sees the real e-mail addresses of users: 1 everyone, 3 administrators, 4 nobody.',
  ),
  guests_see_only_shared_people: setting(
    z.boolean(),
    'Whether guests see only the people of the streams and conversations that they share. Requires that e-mail addresses are not shown to everyone.',
    { since: 371 },
  ),
  default_twenty_four_hour_time: setting(z.boolean(), 'Whether new accounts show times on a 24-hour clock.'),
  video_chat_provider: setting(
    z.int(),
    'The id of the video call provider, from `realm_available_video_chat_providers`.',
    { stored: z.int().min(0).max(32_767) },
  ),
  default_code_block_language: setting(
    z.string().nullable(),
    'The language for syntax highlighting of code blocks without a language. Null for none.',
    {
      param: () =>
        quotableText(
          // Some clients send the text `null` for no language. It must not become the name of a language.
          maxCharacters(60)
            .refine((language) => language !== 'null', { error: '{V} is not a string' })
            .optional(),
          'The language of code blocks without a language. Empty for none. Unchanged if absent.',
        ),
      stored: z.string().max(100).nullable(),
    },
  ),
  digest_weekday: choiceSetting(
    [0, 1, 2, 3, 4, 5, 6],
    'The day of the week on which digests are sent: 0 is Monday, 6 is Sunday.',
  ),
}
export type OrganizationSetting = keyof typeof organizationSettings
/** The value of each setting. */
export type OrganizationSettings = OutputOf<typeof organizationSettings>

type GroupedSetting = {
  [Name in OrganizationSetting]: (typeof organizationSettings)[Name] extends { isGrouped: true }
    ? Name
    : never
}[OrganizationSetting]

const select = (isSelected: (declared: Setting) => boolean) =>
  Object.fromEntries(Object.entries(organizationSettings).filter(([, declared]) => isSelected(declared)))

/** The settings that one event reports together if they change together. */
export const groupedSettings = select((declared) => 'isGrouped' in declared) as Pick<
  typeof organizationSettings,
  GroupedSetting
>

/** The settings that each have their own event. */
export const singleSettings = select((declared) => !('isGrouped' in declared)) as Omit<
  typeof organizationSettings,
  GroupedSetting
>
