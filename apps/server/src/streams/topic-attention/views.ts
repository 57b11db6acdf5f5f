import type { MutedTopic, UserTopic } from '@oxbow/contract'
import type { AttentionRow, MutedTopicRow } from './queries.ts'

const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000)

export function viewMutedTopic({ name, topic, muted_at }: MutedTopicRow): MutedTopic {
  return [name, topic, toSeconds(muted_at)]
}

export function viewUserTopic({ stream_id, topic, changed_at, policy }: AttentionRow): UserTopic {
  return { stream_id, topic_name: topic, last_updated: toSeconds(changed_at), visibility_policy: policy }
}
