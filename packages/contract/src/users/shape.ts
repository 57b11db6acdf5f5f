import { z } from 'zod'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
import { botTypes } from '../plain/roles.ts'

const profileDataText =
  'Values of custom profile fields, by the id of the field. Fields without a value are absent.'

export const profileData = z.record(
  z.string(),
  object({
    value: field(z.string(), 'The value as it was entered.'),
    rendered_value: field(
      z.string().optional(),
      'The value as HTML. Present only for types of fields that support Markdown.',
    ),
  }),
)

/** Fields of all user objects. Lists, single users and the caller's own account have additional fields. */
const common = {
  user_id: field(userId, texts.userId),
  email: field(z.string(), texts.email),
  delivery_email: field(
    z.string().optional(),
    'The real e-mail address. Present only for administrators, where the organization hides addresses from others.',
  ),
  full_name: field(z.string(), texts.fullName),
  is_bot: field(z.boolean(), 'Whether the account is a bot.'),
  is_admin: field(z.boolean(), 'Whether the user is an administrator. True for owners too.'),
  is_owner: field(z.boolean(), 'Whether the user is an owner of the organization.'),
  is_guest: field(z.boolean(), 'Whether the user is a guest.'),
  is_active: field(z.boolean(), 'Whether the account is active. False after it was deactivated.'),
  avatar_version: field(z.int(), texts.avatarVersion),
  timezone: field(
    z.string(),
    "The user's time zone, as a name of the tz database. Empty if none was chosen.",
  ),
  date_joined: field(z.string(), 'When the account was created, in ISO 8601.'),
}

export const user = object({
  ...common,
  avatar_url: field(z.string().nullable(), texts.avatarUrlOrNull),
  bot_type: field(z.literal([...botTypes]).nullable(), `${texts.botType} Null for people.`),
  bot_owner_id: field(
    userId.nullable().optional(),
    "The id of the bot's owner. Null for a bot without an owner, absent for people.",
  ),
  profile_data: field(
    profileData.optional(),
    `${profileDataText} Absent for bots, and unless it was requested.`,
  ),
})
export type User = z.infer<typeof user>

/** Fields of the caller's own account, which the response contains at its top level. */
export const ownUserFields = {
  ...common,
  avatar_url: field(z.string(), texts.avatarUrl),
  profile_data: field(profileData.optional(), `${profileDataText} Absent for bots.`),
  max_message_id: field(
    z.int(),
    'Deprecated. The id of the newest message that the account received; -1 if it has none.',
  ),
}
