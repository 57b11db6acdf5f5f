import { api } from '../api.ts'
import { initialState, listedUser } from '../events/initial-state.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { describeEndpoint, describeEvent, describeFields } from '../kernel/describe.ts'
import { fieldValue, fieldValueOrNull, profileField } from '../profile-fields/shape.ts'
import { personChange, userEvent } from './events.ts'
import { profileData, user } from './shape.ts'

const profileDataText =
  'Values of custom profile fields, by the id of the field. Fields without a value are absent.'

const common = {
  user_id: texts.userId,
  email: texts.email,
  delivery_email:
    'The real e-mail address. Present only for administrators, where the organization hides addresses from others.',
  full_name: texts.fullName,
  is_bot: 'Whether the account is a bot.',
  is_admin: 'Whether the user is an administrator. True for owners too.',
  is_owner: 'Whether the user is an owner of the organization.',
  is_guest: 'Whether the user is a guest.',
  is_active: 'Whether the account is active. False after it was deactivated.',
  avatar_version: texts.avatarVersion,
  timezone: "The user's time zone, as a name of the tz database. Empty if none was chosen.",
  date_joined: 'When the account was created, in ISO 8601.',
}

const userTexts = describeFields(user, {
  ...common,
  avatar_url: texts.avatarUrlOrNull,
  bot_type: `${texts.botType} Null for people.`,
  bot_owner_id: "The id of the bot's owner. Null for a bot without an owner, absent for people.",
  profile_data: `${profileDataText} Absent for bots, and unless it was requested.`,
})
const { is_active: _, ...listedTexts } = userTexts
describeFields(listedUser, listedTexts)
describeFields(initialState.cross_realm_bots.unwrap().element, {
  ...userTexts,
  is_cross_realm_bot: 'Always true: the bot belongs to the server, not to the organization.',
})

describeFields(profileData.valueType, {
  value: 'The value as it was entered.',
  rendered_value: 'The value as HTML. Present only for types of fields that support Markdown.',
})

const fieldId = 'The id of the custom profile field.'
const fieldValueText =
  'The value: a text, a number for a list of options, or a list of user ids for a field of people.'
describeFields(fieldValue, { id: fieldId, value: fieldValueText })
describeFields(fieldValueOrNull, {
  id: fieldId,
  value: `${fieldValueText} Null, 0 and empty values clear the field.`,
})

const fieldTypeText =
  'The type: 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 people, 7 external account.'
const fieldName = 'The label of the field, of up to 40 characters.'
const fieldHint = 'A hint for people who fill in the field, of up to 80 characters.'
describeFields(profileField, {
  id: fieldId,
  name: fieldName,
  type: fieldTypeText,
  hint: fieldHint,
  field_data:
    'JSON text with the options of a list or the kind of an external account. Empty for other types.',
  order: 'The position of the field among all fields, in ascending order.',
})

const viewOptions = {
  client_external_avatar: texts.clientExternalAvatar,
  include_custom_profile_fields:
    'Whether to include `profile_data` with the values of custom profile fields.',
}

describeEndpoint(api.users.list, viewOptions, {
  members: 'All people and bots of the organization, active or not.',
})
describeEndpoint(
  api.users.directory,
  {},
  {
    position: 'An event id. The list includes all changes up to it, and may include later ones.',
    people:
      'All accounts, ordered by id. Each is a list of id, full name, flags, and the version of the avatar. The flags are a sum: 1 for bots, 2 for guests, 4 for administrators and owners, 8 for owners, 16 for deactivated accounts.',
  },
)
describeEndpoint(api.users.get, { user_id: texts.userId, ...viewOptions }, { user: 'The requested user.' })
describeEndpoint(
  api.users.getByEmail,
  { email: "The user's address as the caller sees it, in any mix of upper and lower case.", ...viewOptions },
  { user: 'The requested user.' },
)
describeEndpoint(
  api.users.me,
  {},
  {
    ...common,
    avatar_url: texts.avatarUrl,
    profile_data: `${profileDataText} Absent for bots.`,
    max_message_id: 'Deprecated. The id of the newest message that the account received; -1 if it has none.',
  },
)
describeEndpoint(
  api.users.create,
  {
    email: 'The e-mail address of the new account.',
    password: 'The initial password. Weak passwords are refused.',
    full_name: 'The full name of the new user.',
  },
  { user_id: 'The id of the new user.' },
)
describeEndpoint(
  api.users.update,
  {
    user_id: texts.userId,
    full_name: 'The new full name. Unchanged if absent.',
    role: 'The new role: 100 owner, 200 administrator, 400 member, 600 guest. Unchanged if absent.',
    profile_data: 'New values of custom profile fields. Fields that are not listed keep their value.',
    password: 'Always refused. Only the user and the operator of the server can set a password.',
  },
  {},
)
describeEndpoint(
  api.users.erase,
  {
    user_id: texts.userId,
    delete_messages: 'Whether all messages that the user sent, and all uploads of the user, are deleted too.',
  },
  {},
)
describeEndpoint(api.users.deactivate, { user_id: texts.userId }, {})
describeEndpoint(api.users.reactivate, { user_id: texts.userId }, {})
describeEndpoint(api.users.deactivateMe, {}, {})
describeEndpoint(
  api.users.regenerateApiKey,
  { password: "The caller's password. Required for requests with a session; ignored with an API key." },
  { api_key: 'The new API key.' },
)
describeEndpoint(api.users.setProfileData, { data: 'The fields to fill in, with their new values.' }, {})
describeEndpoint(api.users.clearProfileData, { data: 'The ids of the custom profile fields to clear.' }, {})
describeEndpoint(
  api.users.updateSettings,
  {
    full_name: 'The new full name. Unchanged if empty or absent.',
    email:
      'The new e-mail address, which takes effect when its owner opens the link mailed to it. Unchanged if empty or absent.',
    old_password:
      'The current password. Required with `new_password`, and with `email` in requests with a session.',
    new_password: 'The new password. Unchanged if empty or absent.',
  },
  {
    account_email: 'The new e-mail address that has to be confirmed. Present only if one was given.',
    full_name: 'The new full name. Present only if it changed.',
  },
)
describeEndpoint(api.users.setAvatar, {}, { avatar_url: texts.avatarUrl })
describeEndpoint(api.users.clearAvatar, {}, { avatar_url: texts.avatarUrl })

describeEndpoint(
  api.profileFields.list,
  {},
  {
    custom_fields: 'The custom profile fields of the organization, in their order.',
  },
)
const label = {
  name: fieldName,
  hint: fieldHint,
  field_data:
    'The options of a list of options, or the kind of an external account. Ignored for other types.',
}
describeEndpoint(
  api.profileFields.create,
  { ...label, field_type: fieldTypeText },
  { id: 'The id of the new field.' },
)
describeEndpoint(
  api.profileFields.reorder,
  { order: 'The ids of all custom profile fields, in the new order.' },
  {},
)
describeEndpoint(api.profileFields.update, { field_id: fieldId, ...label }, {})
describeEndpoint(api.profileFields.remove, { field_id: fieldId }, {})

const [added, removed, updated] = userEvent.options
describeEvent(added, { op: 'The account was created or reactivated.', person: 'The user.' })
describeEvent(removed, { op: 'The account was deactivated.', person: 'The user.' })
describeEvent(updated, {
  op: 'A property of the user changed.',
  person: 'The id of the user, and the changed fields with their new values.',
  can_create_streams:
    "Whether the user's new role may create streams. Only with a change of role, and only for the user concerned.",
  can_subscribe_other_users:
    "Whether the user's new role may subscribe others to streams. Only with a change of role, and only for the user concerned.",
})
describeFields(removed.shape.person, { user_id: texts.userId, full_name: texts.fullName })

const [byName, byRole, byAvatar, byOwner, byTimezone, byField, byDeliveryEmail, byEmail] =
  personChange.options
describeFields(byName, { user_id: texts.userId, full_name: 'The new full name.' })
describeFields(byRole, {
  user_id: texts.userId,
  role: 'The new role: 100 owner, 200 administrator, 400 member, 600 guest.',
})
describeFields(byAvatar, {
  user_id: texts.userId,
  avatar_source: texts.avatarSource,
  avatar_url: 'The URL of the new avatar, 100 pixels wide.',
  avatar_url_medium: 'The URL of the new avatar, 500 pixels wide.',
  avatar_version: texts.avatarVersion,
})
describeFields(byOwner, {
  user_id: texts.botId,
  bot_owner_id: "The id of the bot's new owner. Null if it has none.",
})
describeFields(byTimezone, {
  user_id: texts.userId,
  timezone: 'The new time zone, as a name of the tz database.',
})
describeFields(byField, {
  user_id: texts.userId,
  custom_profile_field: 'The custom profile field and its new value.',
})
describeFields(byField.shape.custom_profile_field, {
  id: fieldId,
  value: 'The new value. Null if it was cleared.',
  rendered_value: 'The new value as HTML. Present only for types of fields that support Markdown.',
})
describeFields(byDeliveryEmail, {
  user_id: texts.userId,
  delivery_email: 'The real e-mail address. Null if this account may no longer see it.',
})
describeFields(byEmail, { user_id: texts.userId, new_email: "The user's new API address." })
