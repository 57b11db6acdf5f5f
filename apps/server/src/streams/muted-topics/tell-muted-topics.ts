import type { MutedTopic, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { listMutedTopicsOfMuters } from './queries.ts'
import { viewMutedTopic } from './views.ts'

const mostInRecord = 200

/**
 * To everyone who muted something in a stream that has another name now: their whole list. Entries know streams by
 * name only, and another stream may have the old name next. The directory of streams must be held alone.
 */
export async function tellMutedTopics(tx: Tx, { organization_id, id }: StreamRow): Promise<void> {
  const rows = await listMutedTopicsOfMuters(tx, organization_id, id)
  const lists = [...Map.groupBy(rows, ({ user_id }) => user_id)]
  for (let start = 0; start < lists.length; start += mostInRecord) {
    const group = lists.slice(start, start + mostInRecord)
    const parts: Record<number, { muted_topics: MutedTopic[] }> = {}
    for (const [user, topics] of group) parts[user] = { muted_topics: topics.map(viewMutedTopic) }
    const users: UserId[] = group.map(([user]) => user)
    emit(tx, { organization_id, event: { type: 'muted_topics' }, to: { users }, parts })
  }
}
