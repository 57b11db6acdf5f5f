import type { MutedTopic } from '@oxbow/contract'
import type { MutedTopicRow } from './queries.ts'

export function viewMutedTopic({ name, topic, muted_at }: MutedTopicRow): MutedTopic {
  return [name, topic, Math.floor(muted_at.getTime() / 1_000)]
}
