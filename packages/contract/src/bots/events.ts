import { z } from 'zod'
import { eventSchema } from '../events/event-schema.ts'
import { userId } from '../ids.ts'
import { texts } from '../kernel/common-descriptions.ts'
import { type Fields, field, object } from '../kernel/field.ts'
import { bot } from './shape.ts'

const { full_name, api_key, avatar_url, owner_id, services, ...rest } = bot.shape
const { default_sending_stream, default_events_register_stream, default_all_public_streams } = rest

const changed = <Change extends Fields>(change: Change) =>
  object({ user_id: field(userId, texts.botId), ...change })

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
    op: field(z.literal('add'), 'The bot was created or reactivated, or this account may now see it.'),
    bot: field(bot, 'The bot.'),
  }),
  eventSchema('realm_bot', {
    op: field(z.literal('update'), 'A property of the bot changed.'),
    bot: field(botChange, 'The id of the bot, and the changed field with its new value.'),
  }),
  eventSchema('realm_bot', {
    op: field(z.literal('remove'), 'The bot was deactivated.'),
    bot: field(changed({ full_name }), 'The bot.'),
  }),
  eventSchema('realm_bot', {
    op: field(z.literal('delete'), 'This account may no longer see the bot.'),
    bot: field(changed({}), 'The bot.'),
  }),
])
export type BotEvent = z.infer<typeof botEvent>
