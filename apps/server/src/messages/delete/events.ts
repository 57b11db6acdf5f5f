import type { OrganizationId } from '@oxbow/contract'
import type { Emission } from '../../events/record.ts'
import type { MessageRow, StreamRow } from '../../platform/database/tables.ts'
import type { MessageAudience } from '../audiences.ts'

/**
 * Most clients get one event per message of a record, so this also bounds the events per record.
 */
const maxMessagesPerRecord = 1_000

/**
 * Builds the deletion events for one audience. `topic` may be any spelling of the messages' topic.
 */
export function messagesDeleted(
  { organization_id, id: stream_id }: Pick<StreamRow, 'organization_id' | 'id'>,
  topic: string,
  { ids, ...audience }: MessageAudience,
): Emission[] {
  return Array.from({ length: Math.ceil(ids.length / maxMessagesPerRecord) }, (_, index) => {
    const message_ids = ids.slice(index * maxMessagesPerRecord, (index + 1) * maxMessagesPerRecord)
    const event = { type: 'delete_message', message_type: 'stream', message_ids, stream_id, topic }
    return { organization_id, event, ...audience, eventCount: message_ids.length }
  })
}

export function privateMessageDeleted(
  organization_id: OrganizationId,
  { recipient_id }: Pick<MessageRow, 'recipient_id'>,
  { ids, to }: MessageAudience,
): Emission {
  const event = { type: 'delete_message', message_type: 'private', message_ids: ids, recipient_id }
  return { organization_id, event, to }
}
