import type { OrganizationId } from '@oxbow/contract'
import type { Emission } from '../../events/record.ts'
import type { MessageRow, StreamRow } from '../../platform/database/tables.ts'
import type { MessageAudience } from '../audiences.ts'

/** For most clients a record becomes as many events as it has messages, so there is an end to it. */
const mostInRecord = 1_000

/** The topic is the one they were in, in any of its spellings. */
export function messagesDeleted(
  { organization_id, id: stream_id }: Pick<StreamRow, 'organization_id' | 'id'>,
  topic: string,
  { ids, ...hearing }: MessageAudience,
): Emission[] {
  return Array.from({ length: Math.ceil(ids.length / mostInRecord) }, (_, place) => {
    const message_ids = ids.slice(place * mostInRecord, (place + 1) * mostInRecord)
    const event = { type: 'delete_message', message_type: 'stream', message_ids, stream_id, topic }
    return { organization_id, event, ...hearing, eventCount: message_ids.length }
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
