import { emit } from '../events/emit.ts'
import { getBotWatchers } from '../identity/accounts/bot-watchers.ts'
import type { Tx } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'

type StreamKey = Pick<StreamRow, 'organization_id' | 'id'>

/**
 * Emits the changed default stream of each bot that uses this stream: its new name, or null if it
 * was archived. The stream directory must be locked exclusively.
 */
export async function emitBotDefaultStreams(tx: Tx, stream: StreamKey, name: string | null): Promise<void> {
  for (const bot of await listBotsWithDefaultStream(tx, stream)) {
    const { organization_id, id: user_id } = bot
    const emitChange = (change: object) =>
      emit(tx, {
        organization_id,
        event: { type: 'realm_bot', op: 'update', bot: { user_id, ...change } },
        to: getBotWatchers(bot),
      })
    if (bot.default_sending_stream_id === stream.id) emitChange({ default_sending_stream: name })
    if (bot.default_events_register_stream_id === stream.id)
      emitChange({ default_events_register_stream: name })
  }
}

async function listBotsWithDefaultStream(tx: Tx, { organization_id, id }: StreamKey) {
  return tx
    .selectFrom('bot_setting as setting')
    .innerJoin('user_account as account', (join) =>
      join
        .onRef('account.organization_id', '=', 'setting.organization_id')
        .onRef('account.id', '=', 'setting.user_id'),
    )
    .select([
      'account.organization_id',
      'account.id',
      'account.bot_owner_id',
      'setting.default_sending_stream_id',
      'setting.default_events_register_stream_id',
    ])
    .where('setting.organization_id', '=', organization_id)
    .where((eb) =>
      eb.or([
        eb('setting.default_sending_stream_id', '=', id),
        eb('setting.default_events_register_stream_id', '=', id),
      ]),
    )
    .orderBy('account.id')
    .execute()
}
