import type { api, ParamsOf } from '@oxbow/contract'
import { emit } from '../../../events/emit.ts'
import type { Actor } from '../../../platform/actor.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { UserRow } from '../../../platform/database/tables.ts'
import { findDefaultStreamOf } from './default-streams.ts'
import { botChanged } from './events.ts'
import { changeBotSettings } from './queries.ts'

type DefaultsParams = Pick<
  ParamsOf<typeof api.bots.update>,
  'default_sending_stream' | 'default_events_register_stream' | 'default_all_public_streams'
>

/**
 * Changes the given defaults. An empty stream name removes the default. The caller must have locked
 * the stream directory.
 */
export async function changeBotDefaults(
  tx: Tx,
  actor: Actor,
  bot: UserRow,
  params: DefaultsParams,
): Promise<void> {
  const account = { organization_id: bot.organization_id, user_id: bot.id }
  if (params.default_sending_stream !== undefined) {
    const stream = await findDefaultStreamOf(tx, actor, bot, params.default_sending_stream)
    await changeBotSettings(tx, account, { default_sending_stream_id: stream?.id ?? null })
    emit(tx, botChanged(bot, { default_sending_stream: stream?.name ?? null }))
  }
  if (params.default_events_register_stream !== undefined) {
    const stream = await findDefaultStreamOf(tx, actor, bot, params.default_events_register_stream)
    await changeBotSettings(tx, account, { default_events_register_stream_id: stream?.id ?? null })
    emit(tx, botChanged(bot, { default_events_register_stream: stream?.name ?? null }))
  }
  if (params.default_all_public_streams !== undefined) {
    const { default_all_public_streams } = params
    await changeBotSettings(tx, account, { default_all_public_streams })
    emit(tx, botChanged(bot, { default_all_public_streams }))
  }
}
