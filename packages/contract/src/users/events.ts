import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { profileFieldId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { type Fields, field, object } from '../kernel/field.ts'
import { roles } from '../plain/roles.ts'
import { user } from './shape.ts'

const person = <Change extends Fields>(change: Change) =>
  object({ user_id: field(userId, texts.userId), ...change })

/** Possible changes of a user. Each event contains exactly one. */
export const personChange = z.union([
  person({ full_name: field(z.string(), 'The new full name.') }),
  person({
    role: field(
      z.literal([...roles]),
      'The new role: 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
    ),
  }),
  person({
    avatar_source: field(z.literal(['G', 'U']), texts.avatarSource),
    avatar_url: field(z.string(), 'The URL of the new avatar, 100 pixels wide.'),
    avatar_url_medium: field(z.string(), 'The URL of the new avatar, 500 pixels wide.'),
    avatar_version: field(z.int(), texts.avatarVersion),
  }),
  person({
    user_id: field(userId, texts.botId),
    bot_owner_id: field(userId.nullable(), "The id of the bot's new owner. Null if it has none."),
  }),
  person({ timezone: field(z.string(), 'The new time zone, as a name of the tz database.') }),
  person({
    custom_profile_field: field(
      object({
        id: field(profileFieldId, 'The id of the custom profile field.'),
        value: field(z.string().nullable(), 'The new value. Null if it was cleared.'),
        rendered_value: field(
          z.string().optional(),
          'The new value as HTML. Present only for types of fields that support Markdown.',
        ),
      }),
      'The custom profile field and its new value.',
    ),
  }),
  person({
    delivery_email: field(
      z.string().nullable(),
      'The real e-mail address. Null if this account may no longer see it.',
    ),
  }),
  person({ new_email: field(z.string(), "The user's new API address.") }),
])
export type PersonChange = z.infer<typeof personChange>

export const userEvent = z.discriminatedUnion('op', [
  eventSchema('realm_user', {
    op: field(z.literal('add'), 'The account was created or reactivated, or this account begins to see it.'),
    person: field(user, 'The user.'),
  }),
  eventSchema('realm_user', {
    op: field(z.literal('remove'), 'The account was deactivated, or this account no longer sees it.'),
    person: field(
      person({
        full_name: field(z.string(), texts.fullName),
        is_hidden: field(
          z.literal(true).optional(),
          'Present if this account, a guest, no longer shares a stream or conversation with the user. The user is then in no list of users.',
        ),
      }),
      'The user.',
    ),
  }),
  eventSchema('realm_user', {
    op: field(z.literal('update'), 'A property of the user changed.'),
    person: field(personChange, 'The id of the user, and the changed fields with their new values.'),
    can_create_streams: field(
      z.boolean().optional(),
      "Whether the user's new role may create streams. Only with a change of role, and only for the user concerned.",
    ),
    can_subscribe_other_users: field(
      z.boolean().optional(),
      "Whether the user's new role may subscribe others to streams. Only with a change of role, and only for the user concerned.",
    ),
  }),
])
export type UserEvent = z.infer<typeof userEvent>
