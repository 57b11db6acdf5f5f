import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { profileFieldId, userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field } from '../kernel/field.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { json, path, quotableText, text, textPath } from '../kernel/params.ts'
import { maxItems, oneOfIntegers } from '../kernel/schemas.ts'
import { rolesOfGeneration27 } from '../plain/roles.ts'
import { fieldValue, fieldValueOrNull, maxProfileFields } from '../profile-fields/shape.ts'
import { ownUserFields, user } from './shape.ts'

const nameErrors = [
  'NAME_TOO_LONG',
  'NAME_TOO_SHORT',
  'NAME_INVALID_CHARACTERS',
  'NAME_INVALID_FORMAT',
  'NAME_IN_USE',
] as const satisfies ErrorName[]

const valueErrors = [
  'FIELD_NOT_FOUND',
  'VALUE_NOT_A_CHOICE',
  'INVALID_USER_ID',
  'VALUE_USER_DEACTIVATED',
  'VALUE_USER_IS_BOT',
  'PROFILE_TOO_LONG',
] as const satisfies ErrorName[]

const viewOptions = {
  client_external_avatar: json(z.boolean().default(false), texts.clientExternalAvatar, {
    legacyAlias: 'client_gravatar',
  }),
  include_custom_profile_fields: json(
    z.boolean().default(false),
    'Whether to include `profile_data` with the values of custom profile fields.',
  ),
}

export const list = endpoint({
  summary: 'List all people and bots of the organization, active or not.',
  method: 'GET',
  path: '/api/v1/users',
  auth: 'user',
  params: viewOptions,
  response: { members: field(z.array(user), 'All people and bots of the organization, active or not.') },
  errors: [],
})

/** An entry of the user directory: id, full name, flags, version of the avatar. */
const directoryEntry = z.tuple([userId, z.string(), z.int(), z.int()])

export const directory = endpoint({
  summary: 'List all people and bots of the organization in a compact form.',
  description:
    'The response has about a twelfth of the size of that of `GET /users`. It is meant for clients that register with `user_list_on_demand`. Events of the type `realm_user` keep the list up to date: apply the events after `position`. Applying an event that the list already includes changes nothing. The picture of an account is at `/avatar/{user_id}?v={version}`, which may be cached for a day.',
  method: 'GET',
  path: '/api/v1/users/directory',
  auth: 'user',
  params: {},
  response: {
    position: field(
      z.int(),
      'An event id. The list includes all changes up to it, and may include later ones.',
    ),
    people: field(
      z.array(directoryEntry),
      'All accounts, ordered by id. Each is a list of id, full name, flags, and the version of the avatar. The flags are a sum: 1 for bots, 2 for guests, 4 for administrators and owners, 8 for owners, 16 for deactivated accounts.',
    ),
  },
  errors: [],
})

export const get = endpoint({
  summary: 'Get one user by id.',
  method: 'GET',
  path: '/api/v1/users/{user_id}',
  auth: 'user',
  params: { user_id: path(userId, texts.userId), ...viewOptions },
  response: { user: field(user, 'The requested user.') },
  errors: ['NO_SUCH_USER'],
})

export const getByEmail = endpoint({
  summary: 'Get one user by address.',
  description:
    'This endpoint is from a later feature level. Users are found by the addresses that the caller can see, so a hidden real address finds nobody.',
  method: 'GET',
  path: '/api/v1/users/{email}',
  auth: 'user',
  params: {
    email: textPath(
      z.string(),
      "The user's address as the caller sees it, in any mix of upper and lower case.",
      { requiredCharacter: '@' },
    ),
    ...viewOptions,
  },
  response: { user: field(user, 'The requested user.') },
  errors: ['NO_SUCH_USER'],
})

export const me = endpoint({
  summary: 'Get the account of the caller.',
  method: 'GET',
  path: '/api/v1/users/me',
  auth: 'user',
  params: {},
  response: ownUserFields,
  errors: [],
})

export const create = endpoint({
  summary: 'Create an account with a password.',
  method: 'POST',
  path: '/api/v1/users',
  auth: 'user',
  only: ['administrators'],
  params: {
    email: text(z.string(), 'The e-mail address of the new account.'),
    password: text(z.string(), 'The initial password. Weak passwords are refused.'),
    full_name: text(z.string(), 'The full name of the new user.'),
  },
  response: { user_id: field(userId, 'The id of the new user.') },
  errors: [
    ...nameErrors,
    'BAD_EMAIL',
    'EMAIL_NOT_ALLOWED',
    'EMAIL_DISPOSABLE',
    'EMAIL_WITH_PLUS',
    'EMAIL_IN_USE',
    'PASSWORD_TOO_WEAK',
  ],
})

export const update = endpoint({
  summary: "Change a user's name, role or profile.",
  description: 'Either all changes are made or none. Only owners can grant or revoke the role of owner.',
  method: 'PATCH',
  path: '/api/v1/users/{user_id}',
  auth: 'user',
  only: ['administrators'],
  params: {
    user_id: path(userId, texts.userId),
    full_name: quotableText(z.string().optional(), 'The new full name. Unchanged if absent.'),
    role: json(
      oneOfIntegers(rolesOfGeneration27).optional(),
      'The new role: 100 owner, 200 administrator, 400 member, 600 guest. Unchanged if absent.',
    ),
    profile_data: json(
      maxItems(fieldValueOrNull, maxProfileFields).optional(),
      'New values of custom profile fields. Fields that are not listed keep their value.',
    ),
    password: text(
      z.string().optional(),
      'Always refused. Only the user and the operator of the server can set a password.',
    ),
  },
  response: {},
  errors: [
    'NO_SUCH_USER',
    'INSUFFICIENT_PERMISSION',
    'PASSWORD_NOT_ADMINISTERED',
    'MUST_BE_OWNER',
    'LAST_OWNER_ROLE',
    'BOT_ROLE_ABOVE_OWNER',
    'GUEST_CANNOT_ADMINISTER',
    ...nameErrors,
    ...valueErrors,
  ],
})

export const erase = endpoint({
  summary: 'Erase the personal data of a user for ever.',
  description:
    'Only owners can do this. The account is deactivated, cannot be reactivated, and is called "Deleted user" from then on. Name, address, picture, status, profile, sessions, keys, devices, drafts, scheduled messages and settings are deleted at once. Then a background job replaces the name in mentions, and deletes private messages in conversations in which nobody else remains. Messages that the user sent to others stay, unless `delete_messages` is set. A repeated request succeeds, and can add `delete_messages`.',
  method: 'POST',
  path: '/api/v1/users/{user_id}/erase',
  auth: 'user',
  only: ['people', 'owners'],
  params: {
    user_id: path(userId, texts.userId),
    delete_messages: json(
      z.boolean().default(false),
      'Whether all messages that the user sent, and all uploads of the user, are deleted too.',
    ),
  },
  response: {},
  errors: ['NO_SUCH_USER', 'LAST_OWNER_ERASURE'],
})

export const deactivate = endpoint({
  summary: 'Deactivate a user and the bots that the user owns.',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}',
  auth: 'user',
  params: { user_id: path(userId, texts.userId) },
  response: {},
  errors: [
    'NO_SUCH_USER',
    'USER_IS_DEACTIVATED',
    'INSUFFICIENT_PERMISSION',
    'MUST_BE_OWNER',
    'LAST_OWNER_DEACTIVATION',
  ],
})

export const reactivate = endpoint({
  summary: 'Reactivate a user.',
  method: 'POST',
  path: '/api/v1/users/{user_id}/reactivate',
  auth: 'user',
  params: { user_id: path(userId, texts.userId) },
  response: {},
  errors: [
    'NO_SUCH_USER',
    'INSUFFICIENT_PERMISSION',
    'MUST_BE_ADMINISTRATOR',
    'BOT_OWNER_DEACTIVATED',
    'USER_IS_ERASED',
  ],
})

export const deactivateMe = endpoint({
  summary: 'Deactivate the account of the caller.',
  method: 'DELETE',
  path: '/api/v1/users/me',
  auth: 'user',
  params: {},
  response: {},
  errors: ['CANNOT_DEACTIVATE_LAST_USER'],
})

export const regenerateApiKey = endpoint({
  summary: "Replace the caller's API key. The old key stops working at once.",
  method: 'POST',
  path: '/api/v1/users/me/api_key/regenerate',
  auth: 'user',
  idempotent: false,
  params: {
    password: text(
      z.string().default(''),
      "The caller's password. Required for requests with a session; ignored with an API key.",
    ),
  },
  response: { api_key: field(z.string(), 'The new API key.') },
  errors: ['WRONG_PASSWORD', 'TOO_MANY_PASSWORD_ATTEMPTS'],
})

export const setProfileData = endpoint({
  summary: "Set values of the caller's custom profile fields.",
  method: 'PATCH',
  path: '/api/v1/users/me/profile_data',
  auth: 'user',
  only: ['people'],
  params: {
    data: json(maxItems(fieldValue, maxProfileFields), 'The fields to fill in, with their new values.'),
  },
  response: {},
  errors: [...valueErrors],
})

export const clearProfileData = endpoint({
  summary: "Clear values of the caller's custom profile fields.",
  method: 'DELETE',
  path: '/api/v1/users/me/profile_data',
  auth: 'user',
  only: ['people'],
  params: {
    data: json(maxItems(profileFieldId, maxProfileFields), 'The ids of the custom profile fields to clear.'),
  },
  response: {},
  errors: ['FIELD_NOT_FOUND'],
})

export const updateSettings = endpoint({
  summary: "Change the caller's name, password or e-mail address.",
  description: 'A new address takes effect when its owner opens the link that is mailed to it.',
  method: 'PATCH',
  path: '/api/v1/settings',
  auth: 'user',
  only: ['people'],
  params: {
    full_name: text(z.string().default(''), 'The new full name. Unchanged if empty or absent.'),
    email: text(
      z.string().default(''),
      'The new e-mail address, which takes effect when its owner opens the link mailed to it. Unchanged if empty or absent.',
    ),
    old_password: text(
      z.string().default(''),
      'The current password. Required with `new_password`, and with `email` in requests with a session.',
    ),
    new_password: text(z.string().default(''), 'The new password. Unchanged if empty or absent.'),
  },
  response: {
    account_email: field(
      z.string().optional(),
      'The new e-mail address that has to be confirmed. Present only if one was given.',
    ),
    full_name: field(z.string().optional(), 'The new full name. Present only if it changed.'),
  },
  errors: [
    'NOTHING_TO_CHANGE',
    'WRONG_PASSWORD',
    'TOO_MANY_PASSWORD_ATTEMPTS',
    'NEW_PASSWORD_TOO_WEAK',
    'EMAIL_CHANGES_DISABLED',
    'NEW_EMAIL_INVALID',
    'NEW_EMAIL_OUTSIDE_DOMAIN',
    'NEW_EMAIL_DISPOSABLE',
    'NEW_EMAIL_HAS_ACCOUNT',
    'NEW_EMAIL_DEACTIVATED',
    'EMAIL_WITH_PLUS',
    'MAIL_NEEDS_EXTERNAL_URL',
    'MAIL_NOT_CONFIGURED',
    ...nameErrors,
  ],
})

const avatarResponse = { avatar_url: field(z.string(), texts.avatarUrl) }

export const setAvatar = endpoint({
  summary: "Upload the caller's avatar.",
  description:
    'The picture is a PNG, JPEG, GIF or WebP of up to 25 megapixels. It is cropped to a square and stored as PNG of 100 and of 500 pixels. Where the organization or the server does not allow changes of avatars, administrators may still change theirs.',
  method: 'POST',
  path: '/api/v1/users/me/avatar',
  auth: 'user',
  params: {},
  files: { maxFiles: 1, maxBytes: 5 * bytesPerMebibyte },
  response: avatarResponse,
  errors: ['AVATAR_COUNT', 'AVATAR_CHANGES_DISABLED', 'BAD_IMAGE', 'IMAGE_TOO_LARGE'],
})

export const clearAvatar = endpoint({
  summary: "Replace the caller's avatar by the default.",
  method: 'DELETE',
  path: '/api/v1/users/me/avatar',
  auth: 'user',
  params: {},
  response: avatarResponse,
  errors: ['AVATAR_CHANGES_DISABLED'],
})
