import type { MessageSnapshot } from '@oxbow/contract'
import type { MessageEditRow, MessageRow } from '../../platform/database/tables.ts'
import { seconds } from '../read/views.ts'

export type Version = Omit<MessageSnapshot, 'content_html_diff'>

type Text = Pick<Version, 'topic' | 'content' | 'rendered_content'>

/**
 * Lists the versions of a message, oldest first: as sent, and after each edit. Each edit stores the
 * previous values, so the versions are rebuilt backwards from the current message. A topic change
 * caused by an edit of another message is not recorded.
 */
export function listVersions(message: MessageRow, newestFirst: readonly MessageEditRow[]): Version[] {
  const versions: Version[] = []
  let { topic, content, rendered_content }: Text = message
  for (const edit of newestFirst) {
    const after = { topic, content, rendered_content }
    versions.push({
      ...after,
      timestamp: seconds(edit.edited_at),
      user_id: edit.user_id,
      ...viewPreviousValues(edit),
    })
    topic = edit.prev_topic ?? topic
    content = edit.prev_content ?? content
    rendered_content = edit.prev_rendered_content ?? rendered_content
  }
  const sent = { timestamp: seconds(message.sent_at), user_id: message.sender_id }
  versions.push({ topic, content, rendered_content, ...sent })
  return versions.reverse()
}

function viewPreviousValues({
  prev_topic,
  prev_content,
  prev_rendered_content,
  prev_stream_id,
}: MessageEditRow) {
  return {
    ...(prev_topic !== null && { prev_topic }),
    ...(prev_content !== null && { prev_content }),
    ...(prev_rendered_content !== null && { prev_rendered_content }),
    ...(prev_stream_id !== null && { prev_stream: prev_stream_id }),
  }
}
