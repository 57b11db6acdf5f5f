import type { Actor } from '../platform/actor.ts'
import type { Db } from '../platform/database/database.ts'

/** Queue options of a bot that apply if its program does not specify them. */
export interface BotDefaults {
  all_public_streams: boolean
  narrow: [string, string][]
}

const noDefaults: BotDefaults = { all_public_streams: false, narrow: [] }

export async function findBotDefaults(db: Db, actor: Actor): Promise<BotDefaults> {
  if (actor.bot_type === null) return noDefaults
  const setting = await db
    .selectFrom('bot_setting as setting')
    .leftJoin('stream', (join) =>
      join
        .onRef('stream.organization_id', '=', 'setting.organization_id')
        .onRef('stream.id', '=', 'setting.default_events_register_stream_id')
        .on('stream.archived_at', 'is', null),
    )
    .select(['setting.default_all_public_streams', 'stream.name'])
    .where('setting.organization_id', '=', actor.organization_id)
    .where('setting.user_id', '=', actor.user_id)
    .executeTakeFirst()
  if (!setting) return noDefaults
  return {
    all_public_streams: setting.default_all_public_streams,
    narrow: setting.name === null ? [] : [['stream', setting.name]],
  }
}
