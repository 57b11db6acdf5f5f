import type { Event, MutedTopic } from '@oxbow/contract'
import { client } from '../data/client.ts'
import { applyOptimistically } from '../data/pending.ts'
import { mutedTopics } from '../data/store.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { awaitOrShowRefusal } from './act.ts'

/** Unmutes a topic optimistically, and offers to undo it. */
export async function unmuteTopic([stream, topic]: MutedTopic): Promise<void> {
  const remaining = (mutedTopics.peek() ?? []).filter(([name, each]) => name !== stream || each !== topic)
  const event = { type: 'muted_topics', muted_topics: remaining } as unknown as Event
  const change = (op: 'add' | 'remove') => client.subscriptions.muteTopic({ stream, topic, op })
  if (await awaitOrShowRefusal(applyOptimistically([event], () => change('remove'))))
    offerUndo(t('muted.unmuted', { name: topic }), () => void awaitOrShowRefusal(change('add')))
}
