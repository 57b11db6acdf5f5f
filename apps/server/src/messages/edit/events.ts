import type { UserId } from '@oxbow/contract'
import type { Emission } from '../../events/record.ts'
import type { MessageRow, StreamRow } from '../../platform/database/tables.ts'
import type { MessageAudience } from '../audiences.ts'
import { seconds } from '../read/views.ts'
import type { Edit } from './check-edit.ts'

export interface Edited {
  editor: UserId
  edited_at: Date
  /** The message before the edit. */
  before: MessageRow
  /** The stream that the message was in. */
  from?: Pick<StreamRow, 'id' | 'name'>
  /** The stream that the message moved to, if any. */
  to?: Pick<StreamRow, 'id'>
  topic?: string
  /** Links that linkifiers generate from the new topic. */
  topic_links?: readonly string[]
  content?: { content: string; rendered_content: string }
  propagate_mode: Edit['propagate_mode']
}

/**
 * Builds the event for one audience. It lists only the messages that the audience has access to.
 * Each user's `flags` are added at delivery.
 */
export function messagesUpdated(edited: Edited, { ids, ...audience }: MessageAudience): Emission {
  const { before, editor, edited_at, from } = edited
  const includesEdited = ids.includes(before.id)
  const message_ids = includesEdited ? [before.id, ...ids.filter((id) => id !== before.id)] : ids
  const event = {
    type: 'update_message',
    user_id: editor,
    // Other messages moved along with the edited message, but are not marked as edited.
    ...(includesEdited && { edit_timestamp: seconds(edited_at) }),
    message_id: message_ids[0],
    message_ids,
    ...(from && { stream_name: from.name }),
    // Only the edited message has new content.
    ...(includesEdited && viewContentChange(edited)),
    ...viewMove(edited),
  }
  return { organization_id: before.organization_id, event, ...audience }
}

/**
 * Builds the event of a move for users who must not learn which stream the messages were in. The
 * event contains only the new stream and topic.
 */
export function messagesArrived(
  { content: _, ...moved }: Edited & { to: Pick<StreamRow, 'id' | 'name'> },
  audience: MessageAudience,
): Emission {
  const { before, to, topic = before.topic } = moved
  return messagesUpdated({ ...moved, from: to, before: { ...before, topic } }, audience)
}

function viewContentChange({ before, content }: Edited) {
  return (
    content && {
      orig_content: before.content,
      orig_rendered_content: before.rendered_content,
      prev_rendered_content_version: 1,
      ...content,
      is_me_message: content.content.startsWith('/me '),
    }
  )
}

function viewMove({ before, from, to, topic, topic_links, propagate_mode }: Edited) {
  if (!from || (topic === undefined && !to)) return {}
  return {
    propagate_mode,
    stream_id: from.id,
    orig_subject: before.topic,
    ...(topic !== undefined && { subject: topic, topic_links }),
    ...(to && { new_stream_id: to.id }),
  }
}
