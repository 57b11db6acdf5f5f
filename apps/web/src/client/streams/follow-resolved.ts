import type { MessageUpdateEvent } from '@oxbow/contract'
import { foldTopic, isResolvedTopic, unmarkTopic } from '@oxbow/contract/plain'
import { onFollowed } from '../events.ts'
import { findConversation, topicRoute } from '../route/route.ts'
import { replaceRoute, route } from '../route/router.ts'
import { changeDraft, draftOf, hasText } from '../writing/drafts.ts'
import { streamName } from './streams.ts'

/** Keeps a topic open, with what the user has written to it, when somebody resolves it or opens it again. */
export function startFollowingResolved(): void {
  onFollowed((followed) => {
    if (followed.kind === 'event' && followed.event.type === 'update_message') follow(followed.event)
  })
}

function follow({
  stream_id,
  new_stream_id,
  orig_subject,
  subject,
  propagate_mode,
}: MessageUpdateEvent): void {
  if (stream_id === undefined || new_stream_id !== undefined || propagate_mode === 'change_one') return
  if (orig_subject === undefined || subject === undefined || !differInMark(orig_subject, subject)) return
  const from = { type: 'stream', stream_id, topic: orig_subject } as const
  const to = { ...from, topic: subject }
  const { content } = draftOf(from)
  if (hasText({ content, topic: '' }) && !hasText(draftOf(to))) {
    changeDraft(to, { content })
    changeDraft(from, { content: '', topic: '' })
  }
  const open = findConversation(route.peek())
  if (open?.type !== 'stream' || open.stream_id !== stream_id || !areSame(open.topic, orig_subject)) return
  replaceRoute(topicRoute({ stream_id, name: streamName(stream_id) }, subject))
}

const areSame = (one: string, other: string): boolean => foldTopic(one) === foldTopic(other)

const differInMark = (one: string, other: string): boolean =>
  isResolvedTopic(one) !== isResolvedTopic(other) && areSame(unmarkTopic(one), unmarkTopic(other))
