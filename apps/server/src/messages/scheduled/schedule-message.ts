import { ApiError, maxScheduledBytes, maxScheduledMessages } from '@oxbow/contract'
import { writeTopicLink } from '@oxbow/markdown/write-markdown'
import { emit } from '../../events/emit.ts'
import { lockSettings } from '../../identity/lock-settings.ts'
import { writeAs } from '../../identity/write-as.ts'
import type { Actor } from '../../platform/actor.ts'
import type { App } from '../../platform/app.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { ScheduledMessageRow } from '../../platform/database/tables.ts'
import { renderText } from '../content/render-text.ts'
import { checkAndRenderMessage, isInteractiveClient, type OutgoingMessage } from '../send/post-message.ts'
import type { Destination } from '../send/preconditions.ts'
import { messageScheduled } from './events.ts'
import { insertScheduledMessage, measureScheduledMessages } from './queries.ts'

export interface MessageToSchedule
  extends Pick<OutgoingMessage, 'recipient' | 'topic' | 'content' | 'widgetContent' | 'isReadBySender'> {
  at: Date
  isReminder: boolean
}

/**
 * Stores a message until its time. The actor must be able to send it now; that is checked again at
 * delivery. Returns the result of `buildResponse` for the stored row. A retried request gets the
 * same response.
 */
export async function scheduleMessage<Result extends object>(
  app: App,
  actor: Actor,
  message: MessageToSchedule,
  buildResponse: (row: ScheduledMessageRow) => Result,
): Promise<Result> {
  const { at, isReminder, isReadBySender = isInteractiveClient(actor.client) } = message
  const { organization_id, user_id, client, origin } = actor
  const stored = isReminder ? await prepareReminder(app, actor, message) : await prepare(app, actor, message)
  return writeAs(app, actor, async (tx) => {
    await lockSettings(tx, actor)
    const row = await insertScheduledMessage(tx, {
      organization_id,
      sender_id: user_id,
      is_reminder: isReminder,
      ...stored,
      client,
      origin,
      is_read_by_sender: isReadBySender,
      deliver_at: at,
      attempt_at: at,
    })
    await refuseTooMany(tx, actor)
    emit(tx, messageScheduled(row))
    return buildResponse(row)
  })
}

/** The columns that contain the message and its recipients. */
export type Prepared = Pick<
  ScheduledMessageRow,
  'stream_id' | 'people' | 'topic' | 'content' | 'rendered_content' | 'widget_content'
>

/** Checks and renders a message as if it were sent now. */
export async function prepare(
  app: App,
  actor: Actor,
  outgoing: Pick<OutgoingMessage, 'recipient' | 'topic' | 'content' | 'widgetContent'>,
): Promise<Prepared> {
  const { to, rendered_content } = await checkAndRenderMessage(app, actor, outgoing)
  const { topic, content, widgetContent: widget_content = null } = outgoing
  return { ...toColumns(to), topic, content, rendered_content, widget_content }
}

const toColumns = (to: Destination): Pick<ScheduledMessageRow, 'stream_id' | 'people'> =>
  'stream' in to ? { stream_id: to.stream, people: null } : { stream_id: null, people: [...to.people] }

/**
 * Prepares a reminder, which is sent only to its author. Its text contains the topic in which it
 * was set.
 */
async function prepareReminder(app: App, actor: Actor, outgoing: MessageToSchedule): Promise<Prepared> {
  const { to, stream } = await checkAndRenderMessage(app, actor, outgoing)
  const hasOthers = 'people' in to && to.people.length > 1
  if (hasOthers) throw new ApiError('REMINDER_NOT_FOR_STREAM')
  const content =
    stream === null
      ? outgoing.content
      : `Reminder from ${writeTopicLink(stream, outgoing.topic)}:\n\n${outgoing.content}`
  const self = { stream_id: null, people: [actor.user_id], topic: '', widget_content: null }
  return { ...self, ...(await renderReminder(app, actor, content)) }
}

export async function renderReminder(
  app: App,
  actor: Actor,
  content: string,
): Promise<Pick<Prepared, 'content' | 'rendered_content'>> {
  const { rendered } = await renderText(app, actor, { content })
  return { content, rendered_content: rendered }
}

/**
 * Throws if the account exceeds the limits. Must be called after the change and with the account's
 * settings locked, so that concurrent requests cannot exceed the limits.
 */
export async function refuseTooMany(tx: Tx, actor: Actor): Promise<void> {
  const { messages, bytes } = await measureScheduledMessages(tx, actor)
  if (messages > maxScheduledMessages)
    throw new ApiError('TOO_MANY_SCHEDULED_MESSAGES', { limit: maxScheduledMessages })
  if (bytes > maxScheduledBytes)
    throw new ApiError('SCHEDULED_MESSAGES_TOO_LARGE', { limit: maxScheduledBytes })
}
