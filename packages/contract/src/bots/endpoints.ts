import { z } from 'zod'
import type { ErrorName } from '../errors.ts'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { endpoint } from '../kernel/endpoint.ts'
import { field, object } from '../kernel/field.ts'
import { bytesPerMebibyte } from '../kernel/files.ts'
import { json, path, quotableText, text } from '../kernel/params.ts'
import { maxCharacters, stringMap, url } from '../kernel/schemas.ts'
import { BotInterface, BotType } from '../plain/roles.ts'
import { botDefaults } from './shape.ts'

const apiKey = "The bot's API key."

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
  default_sending_stream: text(
    z.string().optional(),
    'The name of the stream that the bot posts to if a request names none.',
  ),
  default_events_register_stream: text(
    z.string().optional(),
    "The name of the only stream whose messages the bot's event queues receive by default.",
  ),
  default_all_public_streams: json(
    z.boolean().optional(),
    "Whether the bot's event queues receive messages of all public streams by default.",
  ),
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
    full_name: text(z.string(), texts.botName),
    short_name: text(z.string(), "The part of the address before `-bot@` and the organization's bot domain."),
    bot_type: json(
      z.int().default(BotType.generic),
      'The type of the bot: 1 generic, 2 incoming webhook, 3 outgoing webhook. Type 4 (embedded) is refused.',
    ),
    payload_url: quotableText(
      url().optional(),
      'The URL of an outgoing webhook. The server calls it with each message that mentions the bot in a stream or is sent to it privately, and posts the answer.',
    ),
    interface_type: json(
      z.int().default(BotInterface.json),
      'How an outgoing webhook is called: 1 sends JSON, 2 sends form fields.',
    ),
    service_name: text(
      maxCharacters(100).optional(),
      'The name of the integration that an incoming webhook is for.',
    ),
    config_data: json(
      stringMap().optional(),
      'Configuration of an incoming webhook or an embedded bot. `webhook_secret` is the secret that the sending service signs with; with it, the bot posts only signed deliveries. An empty `webhook_secret` is none.',
    ),
    ...defaults,
  },
  files: picture,
  response: {
    user_id: field(userId, texts.botId),
    api_key: field(z.string(), apiKey),
    avatar_url: field(z.string(), "The URL of the bot's avatar."),
    ...botDefaults,
  },
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

const ownBot = object({
  username: field(z.string(), texts.botEmail),
  full_name: field(z.string(), texts.botName),
  api_key: field(z.string(), apiKey),
  avatar_url: field(z.string(), "The URL of the bot's avatar."),
  ...botDefaults,
})

export const list = endpoint({
  summary: 'List the active bots that the caller owns.',
  method: 'GET',
  path: '/api/v1/bots',
  auth: 'user',
  only: ['not guests', 'people'],
  params: {},
  response: { bots: field(z.array(ownBot), 'The active bots that the caller owns, oldest first.') },
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
    bot_id: path(userId, texts.botId),
    full_name: text(z.string().optional(), 'The new full name. Unchanged if absent.'),
    bot_owner_id: json(
      userId.optional(),
      "The user id of the new owner. Only administrators can change it, and the bot's API key is replaced.",
    ),
    config_data: json(
      stringMap().optional(),
      'Entries to add to the configuration, or to replace in it. An empty `webhook_secret` removes the secret.',
    ),
    service_payload_url: quotableText(url().optional(), 'The new URL of an outgoing webhook.'),
    service_interface: json(
      z.int().optional(),
      'How an outgoing webhook is called: 1 sends JSON, 2 sends form fields.',
    ),
    ...defaults,
  },
  files: picture,
  response: {
    full_name: field(z.string(), texts.botName),
    avatar_url: field(z.string(), "The URL of the bot's avatar."),
    service_interface: field(z.int(), texts.botInterface),
    service_payload_url: field(
      z.string().nullable(),
      'The URL of an outgoing webhook from the request. Null if none was given.',
    ),
    config_data: field(
      z.record(z.string(), z.string()).nullable(),
      'The configuration from the request. Null if none was given.',
    ),
    ...botDefaults,
    bot_owner: field(
      z.string().optional(),
      "The address of the bot's owner. Present only if the owner changed.",
    ),
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
  params: { bot_id: path(userId, texts.botId) },
  response: {
    api_key: field(z.string(), "The bot's new API key. Empty for everyone except the bot's owner."),
  },
  errors: [...accessErrors],
})

export const deactivate = endpoint({
  summary: 'Deactivate a bot.',
  method: 'DELETE',
  path: '/api/v1/bots/{bot_id}',
  auth: 'user',
  params: { bot_id: path(userId, texts.botId) },
  response: {},
  errors: [...accessErrors],
})
