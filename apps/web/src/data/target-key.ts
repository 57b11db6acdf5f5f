import { foldTopic } from '@oxbow/contract/plain'
import type { Target } from './target.ts'

/**
 * Returns a key for a target: `stream/12/topic/roses`, `stream/12/new` while no topic is chosen,
 * `pm/7,9`. Topics that differ only in case have the same key, as on the server.
 */
export function targetKey(target: Target): string {
  if (target.type === 'private') return `pm/${target.user_ids.toSorted((a, b) => a - b).join(',')}`
  const { stream_id, topic } = target
  return topic === undefined ? `stream/${stream_id}/new` : `stream/${stream_id}/topic/${foldTopic(topic)}`
}
