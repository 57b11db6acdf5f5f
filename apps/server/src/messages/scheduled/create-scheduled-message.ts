import type { api, ParamsOf, ResponseOf } from '@oxbow/contract'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import { normalizeType, parseDestination, readMessage } from '../send/send-message.ts'
import { readDeliveryTimestamp } from './read-delivery.ts'
import { scheduleMessage } from './schedule-message.ts'

type Create = typeof api.scheduledMessages.create

export async function createScheduledMessage(
  app: App,
  actor: Actor,
  params: ParamsOf<Create>,
): Promise<ResponseOf<Create>> {
  const normalized = { ...params, type: normalizeType(params.type) }
  const to = await parseDestination(app, actor, normalized)
  const at = await readDeliveryTimestamp(app, actor, normalized.scheduled_delivery_timestamp)
  const message = await readMessage(app, actor, normalized, to)
  return scheduleMessage(
    app,
    actor,
    { ...message, at, isReminder: false, isReadBySender: normalized.read_by_sender },
    ({ id }) => ({ scheduled_message_id: id }),
  )
}
