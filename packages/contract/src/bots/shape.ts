import { z } from 'zod'
import { userId } from '../ids.ts'
import { botInterfaces, botTypes } from '../plain/roles.ts'

const outgoingService = z.strictObject({
  base_url: z.string(),
  interface: z.literal([...botInterfaces]),
  token: z.string(),
})

const embeddedService = z.strictObject({
  service_name: z.string(),
  config_data: z.record(z.string(), z.string()),
})

export const botService = z.union([outgoingService, embeddedService])
export type BotService = z.infer<typeof botService>

/** Defaults for requests of the bot that omit these options. Streams are given by name. */
export const botDefaults = {
  default_sending_stream: z.string().nullable(),
  default_events_register_stream: z.string().nullable(),
  default_all_public_streams: z.boolean(),
}

/** A bot with its private fields, which only its owner and administrators see. */
export const bot = z.strictObject({
  user_id: userId,
  email: z.string(),
  full_name: z.string(),
  bot_type: z.literal([...botTypes]),
  is_active: z.boolean(),
  owner_id: userId.nullable(),
  api_key: z.string(),
  avatar_url: z.string(),
  ...botDefaults,
  services: z.array(botService),
})
export type Bot = z.infer<typeof bot>

/** Maximum size of a bot's configuration in characters, keys and values together. */
export const maxBotConfigLength = 10_000
