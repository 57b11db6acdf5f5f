import type { Emission } from '../../events/record.ts'
import type { MessageRow } from '../../platform/database/tables.ts'
import type { MessageAudience } from '../audiences.ts'

/**
 * Builds the event that a message has new HTML. It is not an edit, so it has no editor and no edit
 * time. Each user's `flags` are added at delivery.
 */
export function messageRerendered(
  { organization_id, id, content }: Pick<MessageRow, 'organization_id' | 'id' | 'content'>,
  { sender, rendered_content }: { sender: string; rendered_content: string },
  { ids, ...audience }: MessageAudience,
): Emission {
  const event = {
    type: 'update_message',
    rendering_only: true,
    sender,
    message_id: id,
    message_ids: ids,
    content,
    rendered_content,
  }
  return { organization_id, event, ...audience }
}
