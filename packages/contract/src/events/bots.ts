import { z } from 'zod'
import { userId } from '../ids.ts'
import { bot } from '../shapes/bot.ts'
import { kind } from './kind.ts'

const { full_name, api_key, avatar_url, owner_id, services, ...rest } = bot.shape
const { default_sending_stream, default_events_register_stream, default_all_public_streams } = rest

const changed = <Change extends Record<string, z.ZodType>>(change: Change) =>
  z.strictObject({ user_id: userId, ...change })

/** What can change about a bot; each event tells one of these. */
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

/** To the bot's owner and to people who are administrators; `api_key` is empty for all but the owner. */
export const botEvent = z.discriminatedUnion('op', [
  kind('realm_bot', {
    op: z.literal('add'),
    bot: bot,
  }),
  kind('realm_bot', { op: z.literal('update'), bot: botChange }),
  kind('realm_bot', {
    op: z.literal('remove'),
    bot: changed({ full_name }),
  }),
  kind('realm_bot', {
    op: z.literal('delete'),
    bot: changed({}),
  }),
])
export type BotEvent = z.infer<typeof botEvent>
