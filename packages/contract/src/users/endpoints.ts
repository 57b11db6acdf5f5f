import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { profileFieldId, userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { json, path, quotableText, text, textPath } from '../kernel/params.ts'
import { maxItems, oneOfIntegers } from '../kernel/schemas.ts'
import { roles } from '../plain/roles.ts'
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
  client_external_avatar: json(z.boolean().default(false), { legacyAlias: 'client_gravatar' }),
  include_custom_profile_fields: json(z.boolean().default(false)),
}

export const list = endpoint({
  summary: 'List all people and bots of the organization, active or not.',
  method: 'GET',
  path: '/api/v1/users',
  auth: 'user',
  params: viewOptions,
  response: { members: z.array(user) },
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
  response: { position: z.int(), people: z.array(directoryEntry) },
  errors: [],
})

export const get = endpoint({
  summary: 'Get one user by id.',
  method: 'GET',
  path: '/api/v1/users/{user_id}',
  auth: 'user',
  params: { user_id: path(userId), ...viewOptions },
  response: { user },
  errors: ['NO_SUCH_USER'],
})

export const getByEmail = endpoint({
  summary: 'Get one user by address.',
  description:
    'This endpoint is from a later feature level. Users are found by the addresses that the caller can see, so a hidden real address finds nobody.',
  method: 'GET',
  path: '/api/v1/users/{email}',
  auth: 'user',
  params: { email: textPath(z.string(), undefined, { requiredCharacter: '@' }), ...viewOptions },
  response: { user },
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
  params: { email: text(z.string()), password: text(z.string()), full_name: text(z.string()) },
  response: { user_id: userId },
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
    user_id: path(userId),
    full_name: quotableText(z.string().optional()),
    role: json(oneOfIntegers(roles).optional()),
    profile_data: json(maxItems(fieldValueOrNull, maxProfileFields).optional()),
    password: text(z.string().optional()),
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
  params: { user_id: path(userId), delete_messages: json(z.boolean().default(false)) },
  response: {},
  errors: ['NO_SUCH_USER', 'LAST_OWNER_ERASURE'],
})

export const deactivate = endpoint({
  summary: 'Deactivate a user and the bots that the user owns.',
  method: 'DELETE',
  path: '/api/v1/users/{user_id}',
  auth: 'user',
  params: { user_id: path(userId) },
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
  params: { user_id: path(userId) },
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
  params: { password: text(z.string().default('')) },
  response: { api_key: z.string() },
  errors: ['WRONG_PASSWORD', 'TOO_MANY_PASSWORD_ATTEMPTS'],
})

export const setProfileData = endpoint({
  summary: "Set values of the caller's custom profile fields.",
  method: 'PATCH',
  path: '/api/v1/users/me/profile_data',
  auth: 'user',
  only: ['people'],
  params: { data: json(maxItems(fieldValue, maxProfileFields)) },
  response: {},
  errors: [...valueErrors],
})

export const clearProfileData = endpoint({
  summary: "Clear values of the caller's custom profile fields.",
  method: 'DELETE',
  path: '/api/v1/users/me/profile_data',
  auth: 'user',
  only: ['people'],
  params: { data: json(maxItems(profileFieldId, maxProfileFields)) },
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
    full_name: text(z.string().default('')),
    email: text(z.string().default('')),
    old_password: text(z.string().default('')),
    new_password: text(z.string().default('')),
  },
  response: { account_email: z.string().optional(), full_name: z.string().optional() },
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

const avatarResponse = { avatar_url: z.string() }

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
