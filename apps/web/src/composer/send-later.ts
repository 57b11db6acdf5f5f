import type { ScheduledMessage } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { batch } from '@preact/signals'
import { awaitOrShowRefusal } from '../client/act.ts'
import { client } from '../client/client.ts'
import { type SendTarget, type Target, targetKey } from '../client/conversations/target.ts'
import { formatShortDateTime } from '../client/formats/dates.ts'
import { linkToMessage } from '../client/messages/links.ts'
import { fetchSource } from '../client/messages/source.ts'
import { applyOptimistically, limitCall } from '../client/pending.ts'
import { nameOf } from '../client/people/names.ts'
import { repeatUntilAnswered } from '../client/repeat-until-answered.ts'
import { ownId } from '../client/store.ts'
import { offerUndo } from '../client/undo.ts'
import { changeDraft, draftOf, prependToDraft } from '../client/writing/drafts.ts'
import { removalOf, targetOfScheduled, waitingMessages } from '../client/writing/later.ts'
import { enqueue } from '../client/writing/outbox.ts'
import { forgetUploads, uploadsOf } from '../client/writing/uploads.ts'
import { t } from '../text/t.ts'
import { quoteMessage } from './quote.ts'
import { addTopic } from './submit.ts'

const secondsOf = (time: Date): number => Math.round(time.getTime() / 1000)

const recipientsOf = (target: SendTarget) =>
  target.type === 'stream'
    ? { type: 'stream', to: target.stream_id, topic: target.topic }
    : { type: 'private', to: [...target.user_ids] }

/**
 * Schedules the text of a draft. Clears the draft when the server has stored the text, unless it was
 * changed meanwhile; undoing returns the text to the draft, or to that of `target` if the user has chosen
 * another topic since then.
 */
export async function sendLater(
  composerTarget: Target,
  target: SendTarget,
  content: string,
  time: Date,
): Promise<void> {
  const uploads = uploadsOf(composerTarget)
  const scheduled_delivery_timestamp = secondsOf(time)
  // The user may try again because the answer to an earlier request was lost.
  const isSame = (message: ScheduledMessage) =>
    message.content === content &&
    message.scheduled_delivery_timestamp === scheduled_delivery_timestamp &&
    targetKey(targetOfScheduled(message)) === targetKey(target)
  const known = waitingMessages.peek().find(isSame)
  const fields = { ...recipientsOf(target), content, scheduled_delivery_timestamp }
  const request = known ? Promise.resolve(known) : client.scheduledMessages.create(fields, limitCall())
  if (!(await awaitOrShowRefusal(request))) return
  const { scheduled_message_id } = await request
  const isUnchanged = draftOf(composerTarget).content.trimEnd() === content
  if (isUnchanged)
    batch(() => {
      changeDraft(composerTarget, { content: '' })
      forgetUploads(uploads)
    })
  offerUndo(t('later.scheduled', { time: formatShortDateTime(time) }), () => {
    void takeBack(scheduled_message_id).then((isRemoved) => {
      const { content: written, topic } = draftOf(composerTarget)
      const isInDraft = !isUnchanged && written.startsWith(content)
      const isAddressed = targetKey(addTopic(composerTarget, topic)) === targetKey(target)
      if (isRemoved && !isInDraft) prependToDraft(isAddressed ? composerTarget : target, content)
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
    applyOptimistically([removalOf(message)], (options) =>
      client.scheduledMessages.remove({ scheduled_message_id: message.scheduled_message_id }, options),
    ),
  )

/** Sends a scheduled message now. It is deleted first, so that it is never sent twice. */
export async function sendNow(message: ScheduledMessage): Promise<void> {
  if (await takeBack(message.scheduled_message_id)) enqueue(targetOfScheduled(message), message.content)
}

/**
 * Deletes a scheduled message whose text is sent or written otherwise after that. Repeats the request until
 * the server answers, because the text would be lost with the answer. Returns whether it succeeded.
 */
const takeBack = (scheduled_message_id: ScheduledMessage['scheduled_message_id']): Promise<boolean> =>
  awaitOrShowRefusal(
    applyOptimistically([removalOf({ scheduled_message_id })], () =>
      repeatUntilAnswered((options) => client.scheduledMessages.remove({ scheduled_message_id }, options)),
    ),
  )

/**
 * Changes the text of a scheduled message or a reminder, and its time unless this is undefined.
 * Throws the server's refusal.
 */
export async function editScheduled(
  { scheduled_message_id, content }: ScheduledMessage,
  change: { content: string; time: number | undefined },
): Promise<void> {
  const changes = {
    ...(change.content !== content && { content: change.content }),
    ...(change.time !== undefined && { scheduled_delivery_timestamp: Math.round(change.time / 1000) }),
  }
  // The server refuses a request without changes.
  if (Object.keys(changes).length > 0)
    await client.scheduledMessages.edit({ scheduled_message_id, ...changes }, limitCall())
}
