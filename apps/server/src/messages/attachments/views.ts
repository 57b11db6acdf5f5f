import type { Attachment } from '@oxbow/contract'
import type { AttachmentRow } from './queries.ts'

export function viewAttachment({
  id,
  file_name,
  path_id,
  size,
  content_type,
  created_at,
  messages,
}: AttachmentRow): Attachment {
  return {
    id,
    name: file_name,
    path_id,
    size,
    content_type,
    create_time: toWholeSeconds(created_at),
    messages: messages.map((message) => ({
      id: message.id,
      date_sent: toWholeSeconds(new Date(message.sent_at)),
    })),
  }
}

/** Returns the time in milliseconds, rounded down to a second. */
function toWholeSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000) * 1_000
}
