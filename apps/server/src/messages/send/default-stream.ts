import type { StreamId } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { Db } from '../../platform/database/database.ts'

/** Returns the stream for messages of a bot that name no stream. People have no default stream. */
export async function findDefaultSendingStream(db: Db, actor: Actor): Promise<StreamId | undefined> {
  if (actor.bot_type === null) return undefined
  const setting = await db
    .selectFrom('bot_setting')
    .select('default_sending_stream_id')
    .where('organization_id', '=', actor.organization_id)
    .where('user_id', '=', actor.user_id)
    .executeTakeFirst()
  return setting?.default_sending_stream_id ?? undefined
}
