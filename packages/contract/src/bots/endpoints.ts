import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { userId } from '../ids.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { json, path, quotableText, text } from '../kernel/params.ts'
import { maxCharacters, stringMap, url } from '../kernel/schemas.ts'
import { BotInterface, BotType } from '../plain/roles.ts'
import { botDefaults } from './shape.ts'

const nameErrors = [
  'NAME_TOO_LONG',
  'NAME_TOO_SHORT',
  'NAME_INVALID_CHARACTERS',
  'NAME_INVALID_FORMAT',
  'NAME_IN_USE',
] as const satisfies ErrorName[]

const pictureErrors = ['ONE_FILE_AT_A_TIME', 'BAD_IMAGE', 'IMAGE_TOO_LARGE'] as const satisfies ErrorName[]
const configErrors = [
  'BOT_CONFIG_MISSING',
  'BOT_CONFIG_VALUE_INVALID',
  'BOT_CONFIG_INVALID',
  'BOT_CONFIG_TOO_LONG',
  'BOT_WITHOUT_CONFIG',
] as const satisfies ErrorName[]
const accessErrors = ['NO_SUCH_BOT', 'INSUFFICIENT_PERMISSION'] as const satisfies ErrorName[]

const picture = { maxFiles: 1, maxBytes: 5 * bytesPerMebibyte, isOptional: true } as const

const defaults = {
  default_sending_stream: text(z.string().optional()),
  default_events_register_stream: text(z.string().optional()),
  default_all_public_streams: json(z.boolean().optional()),
}

export const create = endpoint({
  summary: 'Create a bot.',
  description:
    "The address of the bot is `<short_name>-bot@` followed by the organization's bot domain. An uploaded file becomes its avatar.",
  method: 'POST',
  path: '/api/v1/bots',
  auth: 'user',
  only: ['not guests', 'people'],
  idempotent: false,
  params: {
    full_name: text(z.string()),
    short_name: text(z.string()),
    bot_type: json(z.int().default(BotType.generic)),
    payload_url: quotableText(url().optional()),
    interface_type: json(z.int().default(BotInterface.json)),
    service_name: text(maxCharacters(100).optional()),
    config_data: json(stringMap().optional()),
    ...defaults,
  },
  files: picture,
  response: { user_id: userId, api_key: z.string(), avatar_url: z.string(), ...botDefaults },
  errors: [
    'BAD_EMAIL',
    ...nameErrors,
    'BOT_DOMAIN_INVALID',
    'EMBEDDED_BOTS_DISABLED',
    'USERNAME_IN_USE',
    'TOO_MANY_BOTS',
    'MUST_BE_ADMINISTRATOR',
    'BOT_TYPE_INVALID',
    'BOT_INTERFACE_INVALID',
    'INVALID_STREAM_NAME',
    'INTEGRATION_UNKNOWN',
    ...configErrors,
    ...pictureErrors,
  ],
})

const ownBot = z.strictObject({
  username: z.string(),
  full_name: z.string(),
  api_key: z.string(),
  avatar_url: z.string(),
  ...botDefaults,
})

export const list = endpoint({
  summary: 'List the active bots that the caller owns.',
  method: 'GET',
  path: '/api/v1/bots',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {},
  response: { bots: z.array(ownBot) },
  errors: [],
})

export const update = endpoint({
  summary: 'Change a bot.',
  description:
    "Either all changes are made or none. Only the bot's owner and administrators may do this. An uploaded file becomes the new avatar.",
  method: 'PATCH',
  path: '/api/v1/bots/{bot_id}',
  auth: 'user',
  only: ['not guests', 'people'],
  idempotent: false,
  params: {
    bot_id: path(userId),
    full_name: text(z.string().optional()),
    bot_owner_id: json(userId.optional()),
    config_data: json(stringMap().optional()),
    service_payload_url: quotableText(url().optional()),
    service_interface: json(z.int().optional()),
    ...defaults,
  },
  files: picture,
  response: {
    full_name: z.string(),
    avatar_url: z.string(),
    service_interface: z.int(),
    service_payload_url: z.string().nullable(),
    config_data: z.record(z.string(), z.string()).nullable(),
    ...botDefaults,
    bot_owner: z.string().optional(),
  },
  errors: [
    ...accessErrors,
    ...nameErrors,
    'NEW_BOT_OWNER_UNKNOWN',
    'NEW_BOT_OWNER_DEACTIVATED',
    'NEW_BOT_OWNER_IS_BOT',
    'NEW_BOT_OWNER_IS_GUEST',
    'TOO_MANY_BOTS',
    'INVALID_STREAM_NAME',
    'BOT_INTERFACE_INVALID',
    'BOT_WITHOUT_PAYLOAD_URL',
    ...configErrors,
    ...pictureErrors,
  ],
})

export const regenerateApiKey = endpoint({
  summary: 'Replace the API key of a bot. The old key stops working at once.',
  description:
    "Only the bot's owner, and administrators whose role is at least the bot's, may do this. For administrators who do not own the bot, `api_key` is empty.",
  method: 'POST',
  path: '/api/v1/bots/{bot_id}/api_key/regenerate',
  auth: 'user',
  only: ['not guests', 'people'],
  idempotent: false,
  params: { bot_id: path(userId) },
  response: { api_key: z.string() },
  errors: [...accessErrors],
})

export const deactivate = endpoint({
  summary: 'Deactivate a bot.',
  method: 'DELETE',
  path: '/api/v1/bots/{bot_id}',
  auth: 'user',
  params: { bot_id: path(userId) },
  response: {},
  errors: [...accessErrors],
})
