import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'
import { bot } from './shape.ts'

const { full_name, api_key, avatar_url, owner_id, services, ...rest } = bot.shape
const { default_sending_stream, default_events_register_stream, default_all_public_streams } = rest

const changed = <Change extends Record<string, z.ZodType>>(change: Change) =>
  z.strictObject({ user_id: userId, ...change })

/** Possible changes of a bot. Each event contains exactly one. */
export const botChange = z.union([
  changed({ full_name }),
  changed({ api_key }),
  changed({ avatar_url }),
  changed({ owner_id }),
  changed({ default_sending_stream }),
  changed({ default_events_register_stream }),
  changed({ default_all_public_streams }),
  changed({ services }),
])
export type BotChange = z.infer<typeof botChange>

/**
 * Sent to the bot's owner and to administrators who are people. `api_key` is empty except for the
 * owner.
 */
export const botEvent = z.discriminatedUnion('op', [
  eventSchema('realm_bot', {
    op: z.literal('add'),
    bot: bot,
  }),
  eventSchema('realm_bot', { op: z.literal('update'), bot: botChange }),
  eventSchema('realm_bot', {
    op: z.literal('remove'),
    bot: changed({ full_name }),
  }),
  eventSchema('realm_bot', {
    op: z.literal('delete'),
    bot: changed({}),
  }),
])
export type BotEvent = z.infer<typeof botEvent>
