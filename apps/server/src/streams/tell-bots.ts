import { emit } from '../events/emit.ts'
import { whoWatches } from '../organization/bot-watchers.ts'
import type { Tx } from '../platform/database/database.ts'
import type { StreamRow } from '../platform/database/tables.ts'

type Place = Pick<StreamRow, 'organization_id' | 'id'>

/**
 * Bots that have the stream as a default one are shown with its name: their watchers are told the new one, or null where
 * the stream is archived. The directory of streams must be held alone.
 */
export async function tellBotsOfStream(tx: Tx, stream: Place, name: string | null): Promise<void> {
  for (const bot of await listBotsWith(tx, stream)) {
    const { organization_id, id: user_id } = bot
    const tell = (change: object) =>
      emit(tx, {
        organization_id,
        event: { type: 'realm_bot', op: 'update', bot: { user_id, ...change } },
        to: whoWatches(bot),
      })
    if (bot.default_sending_stream_id === stream.id) tell({ default_sending_stream: name })
    if (bot.default_events_register_stream_id === stream.id) tell({ default_events_register_stream: name })
  }
}

async function listBotsWith(tx: Tx, { organization_id, id }: Place) {
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
