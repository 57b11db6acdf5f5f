import { othersOf, type SendTarget, type Target, targetKey } from '../client/conversations/target.ts'
import { findConversation, findStreamId, type Route } from '../client/route/route.ts'
import { openRoute, route } from '../client/route/router.ts'
import { focusedOnOpen } from '../client/writing/composer-focus.ts'
import { changeDraft, draftOf } from '../client/writing/drafts.ts'
import { uploadsOf } from '../client/writing/uploads.ts'
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
