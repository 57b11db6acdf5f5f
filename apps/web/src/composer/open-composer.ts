import { focusedOnOpen } from '../data/composer-focus.ts'
import { changeDraft, draftOf } from '../data/drafts.ts'
import type { SendTarget } from '../data/outbox-entry.ts'
import { othersOf } from '../data/people.ts'
import type { Target } from '../data/target.ts'
import { targetKey } from '../data/target-key.ts'
import { uploadsOf } from '../data/uploads.ts'
import { findConversation, findStreamId, type Route } from '../router/route.ts'
import { openRoute, route } from '../router/router.ts'
import { focusComposer } from './focus.ts'
import { addTopic } from './submit.ts'

/** Returns the target of the composer in the current view; undefined where there is none. Reads signals. */
export function findOpenTarget(): Target | undefined {
  const shown = route.value
  const conversation = findConversation(shown)
  if (conversation?.type === 'private') return { type: 'private', user_ids: othersOf(conversation.user_ids) }
  if (conversation) return conversation
  // A stream with further conditions is a search, which has no composer.
  const stream_id = shown.view === 'narrow' && shown.terms.length === 1 ? findStreamId(shown) : undefined
  return stream_id === undefined ? undefined : { type: 'stream', stream_id }
}

/**
 * Focuses a composer that writes to a conversation: that of the current view if possible, otherwise that
 * of the conversation itself, whose view it opens. Returns the target whose draft the composer shows.
 */
export function openComposer(conversation: SendTarget, view: Route): Target {
  const open = findOpenTarget()
  if (open && addressTo(conversation, open)) {
    focusComposer()
    return open
  }
  focusedOnOpen.value = targetKey(conversation)
  openRoute(view)
  return conversation
}

/**
 * Makes the composer of a target write to a conversation, by changing the topic of a stream's composer.
 * Returns false if that is impossible, or if it would send a text that was begun to another topic.
 */
function addressTo(conversation: SendTarget, open: Target): boolean {
  const { content, topic } = draftOf(open)
  if (targetKey(addTopic(open, topic)) === targetKey(conversation)) return true
  const isUnused = content.trim() === '' && uploadsOf(open).length === 0
  if (conversation.type === 'private' || !isUnused) return false
  if (targetKey(open) !== targetKey({ type: 'stream', stream_id: conversation.stream_id })) return false
  changeDraft(open, { topic: conversation.topic })
  return true
}
