import type { Event, MutedTopic } from '@oxbow/contract'
import { client } from '../data/client.ts'
import { makeChange } from '../data/pending.ts'
import { mutedTopics } from '../data/store.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { actOn } from './act.ts'

/** Unmutes a topic optimistically, and offers to undo it. */
export async function unmuteTopic([stream, topic]: MutedTopic): Promise<void> {
  const left = (mutedTopics.peek() ?? []).filter(([name, each]) => name !== stream || each !== topic)
  const event = { type: 'muted_topics', muted_topics: left } as unknown as Event
  const change = (op: 'add' | 'remove') => client.subscriptions.muteTopic({ stream, topic, op })
  if (await actOn(makeChange([event], () => change('remove'))))
    offerUndo(t('muted.unmuted', { name: topic }), () => void actOn(change('add')))
}
