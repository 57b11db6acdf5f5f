import type { MutedTopic, OrganizationId, UserId } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import type { Emission } from '../../events/record.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type AttentionRow, listMutedTopics } from './queries.ts'
import { viewMutedTopic, viewUserTopic } from './views.ts'

export const attentionChanged = (
  organization_id: OrganizationId,
  users: readonly UserId[],
  row: AttentionRow,
): Emission => ({
  organization_id,
  event: { type: 'user_topic', ...viewUserTopic(row) },
  to: { users },
})

const maxUsersPerRecord = 200

/**
 * Emits the whole list of muted topics to each of these users. The entries identify streams only by their
 * names, so the stream directory must be locked, and the settings of the users too, unless only names changed.
 */
export async function emitMutedTopics(
  tx: Tx,
  organization_id: OrganizationId,
  users: readonly UserId[],
): Promise<void> {
  for (let start = 0; start < users.length; start += maxUsersPerRecord) {
    const group = users.slice(start, start + maxUsersPerRecord)
    const parts: Record<number, { muted_topics: MutedTopic[] }> = {}
    for (const user of group) parts[user] = { muted_topics: [] }
    for (const row of await listMutedTopics(tx, organization_id, group))
      parts[row.user_id]?.muted_topics.push(viewMutedTopic(row))
    emit(tx, { organization_id, event: { type: 'muted_topics' }, to: { users: group }, parts })
  }
}
