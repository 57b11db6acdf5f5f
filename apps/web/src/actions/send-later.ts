import type { ScheduledMessage } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { batch } from '@preact/signals'
import { quoteMessage } from '../composer/quote.ts'
import { client } from '../data/client.ts'
import { changeDraft } from '../data/drafts.ts'
import { removalOf, targetOfScheduled, waitingMessages } from '../data/later.ts'
import { nameOf } from '../data/names.ts'
import { enqueue } from '../data/outbox.ts'
import type { SendTarget } from '../data/outbox-entry.ts'
import { applyOptimistically } from '../data/pending.ts'
import { ownId } from '../data/store.ts'
import type { Target } from '../data/target.ts'
import { forgetUploads } from '../data/uploads.ts'
import { formatShortDateTime } from '../text/dates.ts'
import { t } from '../text/t.ts'
import { offerUndo } from '../ui/undo.ts'
import { awaitOrShowRefusal } from './act.ts'
import { linkToMessage } from './copy-link.ts'
import { fetchSource } from './edit.ts'

const secondsOf = (time: Date): number => Math.round(time.getTime() / 1000)

const recipientsOf = (target: SendTarget) =>
  target.type === 'stream'
    ? { type: 'stream', to: target.stream_id, topic: target.topic }
    : { type: 'private', to: [...target.user_ids] }

/** Schedules a message and clears the draft of the composer; undoing restores the draft. */
export async function sendLater(
  composerTarget: Target,
  target: SendTarget,
  content: string,
  time: Date,
): Promise<void> {
  const request = client.scheduledMessages.create({
    ...recipientsOf(target),
    content,
    scheduled_delivery_timestamp: secondsOf(time),
  })
  if (!(await awaitOrShowRefusal(request))) return
  const { scheduled_message_id } = await request
  batch(() => {
    changeDraft(composerTarget, { content: '' })
    forgetUploads(composerTarget)
  })
  offerUndo(t('later.scheduled', { time: formatShortDateTime(time) }), () => {
    void awaitOrShowRefusal(client.scheduledMessages.remove({ scheduled_message_id })).then((isRemoved) => {
      if (isRemoved) changeDraft(composerTarget, { content })
    })
  })
}

/** Schedules a reminder about a message: a private message with a quotation and a link. */
export async function remindOf(message: WindowMessage, time: Date): Promise<void> {
  const source = fetchSource(message)
  if (!(await awaitOrShowRefusal(source))) return
  const author = { name: nameOf(message.sender_id), user_id: message.sender_id }
  const content = quoteMessage(await source, author, linkToMessage(message))
  const { stream_id, topic } = message
  const isSet = await awaitOrShowRefusal(
    client.messages.send({
      ...(stream_id === undefined
        ? { type: 'private', to: [ownId.peek() as number] }
        : { type: 'stream', to: stream_id, topic }),
      content,
      delivery_type: 'remind',
      deliver_at: time.toISOString(),
    }),
  )
  if (!isSet) return
  offerUndo(t('later.reminder_set', { time: formatShortDateTime(time) }), () => {
    const reminder = waitingMessages
      .peek()
      .find(
        (scheduled) =>
          scheduled.delivery_type === 'remind' &&
          scheduled.scheduled_delivery_timestamp === secondsOf(time) &&
          scheduled.content.includes(linkToMessage(message)),
      )
    if (reminder) void removeScheduled(reminder)
  })
}

/** Deletes a scheduled message or a reminder optimistically. Returns whether it succeeded. */
export const removeScheduled = (message: ScheduledMessage): Promise<boolean> =>
  awaitOrShowRefusal(
    applyOptimistically([removalOf(message)], () =>
      client.scheduledMessages.remove({ scheduled_message_id: message.scheduled_message_id }),
    ),
  )

/** Sends a scheduled message now. It is deleted first, so that it is never sent twice. */
export async function sendNow(message: ScheduledMessage): Promise<void> {
  if (await removeScheduled(message)) enqueue(targetOfScheduled(message), message.content)
}

/** Changes the text and time of a scheduled message or a reminder. Throws the server's refusal. */
export async function editScheduled(
  { scheduled_message_id, content }: ScheduledMessage,
  change: { content: string; time: Date },
): Promise<void> {
  await client.scheduledMessages.edit({
    scheduled_message_id,
    ...(change.content !== content && { content: change.content }),
    scheduled_delivery_timestamp: secondsOf(change.time),
  })
}
