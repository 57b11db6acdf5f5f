import type { OrganizationId, ScheduledMessage } from '@oxbow/contract'
import type { App } from '../../platform/app.ts'
import { type JsonText, jsonInPieces } from '../../platform/pieces.ts'
import { proxyStoredPictures } from '../external-pictures/proxy-pictures.ts'
import type { ShownScheduledMessage } from './queries.ts'

/** Serializes the list of an account's scheduled messages. */
export const scheduledMessagesToJson = (
  app: App,
  organization_id: OrganizationId,
  rows: readonly ShownScheduledMessage[],
): Promise<JsonText> =>
  jsonInPieces(rows, (row) =>
    JSON.stringify(viewScheduledMessage(proxyStoredPictures(app, organization_id, row))),
  )

export function viewScheduledMessage(row: ShownScheduledMessage): ScheduledMessage {
  const common = {
    scheduled_message_id: row.id,
    delivery_type: row.is_reminder ? ('remind' as const) : ('send_later' as const),
    content: row.content,
    rendered_content: row.rendered_content,
    scheduled_delivery_timestamp: Math.floor(row.deliver_at.getTime() / 1_000),
    failed: row.failure !== null,
    ...(row.failure !== null && { failure_message: row.failure }),
  }
  if (row.stream_id !== null) return { ...common, type: 'stream', to: row.stream_id, topic: row.topic }
  const others = (row.people ?? []).filter((id) => id !== row.sender_id)
  return { ...common, type: 'private', to: others.length > 0 ? others : [row.sender_id] }
}
