import { ApiError, type api, type ParamsOf, type ResponseOf } from '@oxbow/contract'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { ScheduledMessageRow } from '../../platform/database/tables.ts'
import type { InPieces } from '../../platform/pieces.ts'
import { retry } from '../../platform/retry.ts'
import { checkContent, lengthRuleFor } from '../content/message-text.ts'
import { normalizeType, parseDestination, readMessage } from '../send/send-message.ts'
import { scheduledMessageChanged, scheduledMessageRemoved } from './events.ts'
import {
  ChangedMeanwhile,
  deleteScheduledMessage,
  getScheduledMessage,
  listScheduledMessages,
  updateScheduledMessage,
} from './queries.ts'
import { readDeliveryTimestamp } from './read-delivery.ts'
import { type Prepared, prepare, refuseTooMany, renderReminder, scheduleMessage } from './schedule-message.ts'
import { scheduledMessagesToJson } from './views.ts'

type Edit = typeof api.scheduledMessages.edit
type Changes = Omit<ParamsOf<Edit>, 'scheduled_message_id'>

/**
 * Maximum number of attempts. Only a deliberate attack changes a message this often during one
 * request.
 */
const maxAttempts = 10

/**
 * Changes a scheduled message. The new text is checked and rendered before the transaction. If the
 * message was changed meanwhile, the request starts again.
 */
export async function editScheduledMessage(
  app: App,
  actor: Actor,
  { scheduled_message_id: id, ...changes }: ParamsOf<Edit>,
): Promise<ResponseOf<Edit>> {
  refuseIncomplete(changes)
  const { scheduled_delivery_timestamp: timestamp } = changes
  const at = timestamp === undefined ? undefined : await readDeliveryTimestamp(app, actor, timestamp)
  const attempt = async () => {
    const row = await getScheduledMessage(app.db, actor, id)
    // A message that failed needs a new time.
    if (row.failure !== null && !at) throw new ApiError('SCHEDULED_TIME_PAST')
    const edited = {
      ...(await prepareChanges(app, actor, row, changes)),
      ...(at && { deliver_at: at, attempt_at: at }),
      attempts: 0,
      failure: null,
      awaits_notice: false,
      client: actor.client,
      origin: actor.origin,
    }
    return writeAs(app, actor, async (tx) => {
      if (edited.content !== undefined) await lockSettings(tx, actor)
      const changed = await updateScheduledMessage(tx, row, edited)
      if (!changed) throw new ChangedMeanwhile()
      if (edited.content !== undefined) await refuseTooMany(tx, actor)
      emit(tx, scheduledMessageChanged(changed))
      return {}
    })
  }
  return retry(attempt, { maxAttempts, shouldRetry: (error) => error instanceof ChangedMeanwhile })
}

/** Refuses requests that change nothing, or that change the type without a new recipient. */
function refuseIncomplete({ type, to, topic, content, scheduled_delivery_timestamp }: Changes): void {
  if ([type, to, topic, content, scheduled_delivery_timestamp].every((value) => value === undefined))
    throw new ApiError('NOTHING_TO_EDIT')
  if (type === undefined) return
  if (to === undefined) throw new ApiError('SCHEDULED_RECIPIENT_MISSING')
  if (normalizeType(type) === 'stream' && topic === undefined) throw new ApiError('SCHEDULED_TOPIC_MISSING')
}

/** Returns the changed columns of the message, or none if only its time changes. */
async function prepareChanges(
  app: App,
  actor: Actor,
  row: ScheduledMessageRow,
  { type, to, topic, content }: Changes,
): Promise<Partial<Prepared>> {
  if (type === undefined && to === undefined && topic === undefined && content === undefined) return {}
  if (row.is_reminder) {
    if (content === undefined || type !== undefined || to !== undefined || topic !== undefined)
      throw new ApiError('REMINDER_RECIPIENT_FIXED')
    return renderReminder(app, actor, checkContent(content, lengthRuleFor(actor)))
  }
  const current = {
    type: row.stream_id === null ? 'private' : 'stream',
    to: row.stream_id ?? row.people,
    topic: row.topic,
    content: row.content,
  }
  const edited = {
    type: type === undefined ? current.type : normalizeType(type),
    to: to ?? current.to,
    topic: topic ?? current.topic,
    content: content ?? current.content,
  }
  const destination = await parseDestination(app, actor, edited)
  const message = readMessage(actor, edited, destination)
  return prepare(app, actor, { ...message, widgetContent: row.widget_content ?? undefined })
}

type Create = typeof api.scheduledMessages.create

export async function createScheduledMessage(
  app: App,
  actor: Actor,
  params: ParamsOf<Create>,
): Promise<ResponseOf<Create>> {
  const normalized = { ...params, type: normalizeType(params.type) }
  const to = await parseDestination(app, actor, normalized)
  const at = await readDeliveryTimestamp(app, actor, normalized.scheduled_delivery_timestamp)
  const message = readMessage(actor, normalized, to)
  return scheduleMessage(
    app,
    actor,
    { ...message, at, isReminder: false, isReadBySender: normalized.read_by_sender },
    ({ id }) => ({ scheduled_message_id: id }),
  )
}

type List = typeof api.scheduledMessages.list

export async function listOwnScheduledMessages(app: App, actor: Actor): Promise<InPieces<ResponseOf<List>>> {
  const rows = await listScheduledMessages(app.db, actor)
  return { scheduled_messages: await scheduledMessagesToJson(app, actor.organization_id, rows) }
}

type Remove = typeof api.scheduledMessages.remove

export async function removeScheduledMessage(
  app: App,
  actor: Actor,
  { scheduled_message_id: id }: ParamsOf<Remove>,
): Promise<ResponseOf<Remove>> {
  const { organization_id, user_id: sender_id } = actor
  return writeAs(app, actor, async (tx) => {
    // This waits for a running delivery, after which the message no longer exists.
    if (!(await deleteScheduledMessage(tx, actor, id))) throw new ApiError('SCHEDULED_MESSAGE_UNKNOWN')
    emit(tx, scheduledMessageRemoved({ organization_id, id, sender_id }))
    return {}
  })
}
