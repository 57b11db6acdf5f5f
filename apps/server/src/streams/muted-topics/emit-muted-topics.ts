import type { MutedTopic, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { StreamRow } from '../../platform/database/tables.ts'
import { listMutedTopicsByStream } from './queries.ts'
import { viewMutedTopic } from './views.ts'

const maxUsersPerRecord = 200

/**
 * Emits the whole list of muted topics to every user who muted a topic of a renamed stream. The
 * entries identify the stream only by its name, and another stream may get the old name. The stream
 * directory must be locked exclusively.
 */
export async function emitMutedTopics(tx: Tx, { organization_id, id }: StreamRow): Promise<void> {
  const rows = await listMutedTopicsByStream(tx, organization_id, id)
  const lists = [...Map.groupBy(rows, ({ user_id }) => user_id)]
  for (let start = 0; start < lists.length; start += maxUsersPerRecord) {
    const group = lists.slice(start, start + maxUsersPerRecord)
    const parts: Record<number, { muted_topics: MutedTopic[] }> = {}
    for (const [user, topics] of group) parts[user] = { muted_topics: topics.map(viewMutedTopic) }
    const users: UserId[] = group.map(([user]) => user)
    emit(tx, { organization_id, event: { type: 'muted_topics' }, to: { users }, parts })
  }
}
