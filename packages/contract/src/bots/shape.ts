import { z } from 'zod'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { field, object } from '../kernel/field.ts'
import { botInterfaces, botTypes } from '../plain/roles.ts'

const outgoingService = object({
  base_url: field(z.string(), 'The URL that is called.'),
  interface: field(z.literal([...botInterfaces]), texts.botInterface),
  token: field(z.string(), 'The secret by which the called service authenticates this server.'),
})

const embeddedService = object({
  service_name: field(z.string(), 'The name of the integration or of the embedded bot.'),
  config_data: field(z.record(z.string(), z.string()), "The bot's configuration."),
})

export const botService = z.union([outgoingService, embeddedService])
export type BotService = z.infer<typeof botService>

/** Defaults for requests of the bot that omit these options. Streams are given by name. */
export const botDefaults = {
  default_sending_stream: field(
    z.string().nullable(),
    'The name of the stream that the bot posts to if a request names none. Null if there is no default.',
  ),
  default_events_register_stream: field(
    z.string().nullable(),
    "The name of the only stream whose messages the bot's event queues receive by default. Null for no restriction.",
  ),
  default_all_public_streams: field(
    z.boolean(),
    "Whether the bot's event queues receive messages of all public streams by default.",
  ),
}

/** A bot with its private fields, which only its owner and administrators see. */
export const bot = object({
  user_id: field(userId, texts.botId),
  email: field(z.string(), texts.botEmail),
  full_name: field(z.string(), texts.botName),
  bot_type: field(z.literal([...botTypes]), texts.botType),
  is_active: field(z.boolean(), 'Whether the bot is active. False after it was deactivated.'),
  owner_id: field(userId.nullable(), "The user id of the bot's owner. Null if it has none."),
  api_key: field(z.string(), "The bot's API key. Empty for everyone except the bot's owner."),
  avatar_url: field(z.string(), "The URL of the bot's avatar."),
  ...botDefaults,
  services: field(
    z.array(botService),
    'The services of an outgoing webhook or an embedded bot. Empty for other types.',
  ),
})
export type Bot = z.infer<typeof bot>

/** Maximum size of a bot's configuration in characters, keys and values together. */
export const maxBotConfigLength = 10_000
