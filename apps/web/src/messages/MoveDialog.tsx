import './MoveDialog.css'
import type { StreamId } from '@oxbow/contract'
import type { WindowMessage } from '@oxbow/sdk/windows'
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { client } from '../client/client.ts'
import { closeDialog, closeDialogOf } from '../client/open-dialogs.ts'
import { askPermission } from '../client/permissions.ts'
import { findConversation, topicRoute } from '../client/route/route.ts'
import { openRoute, route } from '../client/route/router.ts'
import { orderedStreams } from '../client/streams/sections.ts'
import { streamName, streamsById } from '../client/streams/streams.ts'
import { TopicField } from '../composer/TopicField.tsx'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

const scopes = [
  ['change_one', 'move.one'],
  ['change_later', 'move.later'],
  ['change_all', 'move.all'],
] as const

/** Moves a message, or several messages of its topic, to another topic or stream. */
export function MoveDialog({
  message,
  scope = 'change_later',
}: {
  message: WindowMessage
  scope?: Move['scope'] | undefined
}) {
  const { stream_id = 0 as StreamId, topic } = message
  const move = useSignal<Move>({ stream_id, topic, scope, notifiesOldTopic: true, notifiesNewTopic: true })
  const refusal = useSignal<string | undefined>(undefined)
  const topicField = useRef<HTMLInputElement>(null)
  const button = useRef<HTMLFormElement>(null)
  const name = useId()
  const change = (changes: Partial<Move>) => {
    refusal.value = undefined
    move.value = { ...move.value, ...changes }
  }
  const canLeave = askPermission('move_message', { message_id: message.id, stream_id }).value
  const isSame = move.value.stream_id === stream_id && move.value.topic.trim() === topic
  const submit = async () => {
    const wasOpen = findConversation(route.peek())
    try {
      await moveMessages(message, move.value)
    } catch (error) {
      refusal.value = readRefusal(error).reason
      return
    }
    closeDialogOf('move')
    const followed =
      wasOpen?.type === 'stream' && wasOpen.topic === topic && move.value.scope !== 'change_one'
    const to = move.value.stream_id
    if (followed) openRoute(topicRoute({ stream_id: to, name: streamName(to) }, move.value.topic.trim()))
  }
  return (
    <Dialog
      title={t('move.title')}
      onClose={closeDialog}
      actions={
        <>
          <Button onClick={closeDialog}>{t('ui.cancel')}</Button>
          <Button
            look="primary"
            disabled={isSame || move.value.topic.trim() === ''}
            onClick={() => button.current?.requestSubmit()}
          >
            {t('move.move')}
          </Button>
        </>
      }
    >
      <form
        ref={button}
        class="MoveDialog"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSame) void submit()
        }}
      >
        <p class="MoveDialog-from">
          {t('move.from')} <b>{`${streamsById.value.get(stream_id)?.name ?? ''} › ${topic}`}</b>
        </p>
        <label class="MoveDialog-stream">
          <span>{t('move.stream')}</span>
          <select
            value={String(move.value.stream_id)}
            disabled={canLeave?.allowed === false}
            aria-describedby={canLeave?.allowed === false ? `${name}-why` : undefined}
            onChange={({ currentTarget }) => change({ stream_id: Number(currentTarget.value) as StreamId })}
          >
            {orderedStreams.value.map((stream) => (
              <option key={stream.stream_id} value={String(stream.stream_id)}>
                {stream.name}
              </option>
            ))}
          </select>
        </label>
        {canLeave?.allowed === false && (
          <p class="MoveDialog-why" id={`${name}-why`}>
            {canLeave.reason}
          </p>
        )}
        <div class="MoveDialog-topic">
          <TopicField
            stream_id={move.value.stream_id}
            value={move.value.topic}
            field={topicField}
            onInput={(next) => change({ topic: next })}
            onDone={() => button.current?.requestSubmit()}
          />
        </div>
        <fieldset class="MoveDialog-scopes">
          <legend class="Spoken">{t('move.which')}</legend>
          {scopes.map(([each, key]) => (
            <label key={each}>
              <input
                type="radio"
                name={name}
                checked={move.value.scope === each}
                onChange={() => change({ scope: each })}
              />
              {t(key)}
            </label>
          ))}
        </fieldset>
        <fieldset class="MoveDialog-scopes">
          <legend class="Spoken">{t('move.notices')}</legend>
          <label>
            <input
              type="checkbox"
              checked={move.value.notifiesOldTopic}
              onChange={({ currentTarget }) => change({ notifiesOldTopic: currentTarget.checked })}
            />
            {t('move.tell_old')}
          </label>
          <label>
            <input
              type="checkbox"
              checked={move.value.notifiesNewTopic}
              onChange={({ currentTarget }) => change({ notifiesNewTopic: currentTarget.checked })}
            />
            {t('move.tell_new')}
          </label>
        </fieldset>
        {refusal.value && (
          <p class="MoveDialog-refusal" role="alert">
            {refusal.value}
          </p>
        )}
      </form>
    </Dialog>
  )
}

interface Move {
  readonly stream_id: StreamId
  readonly topic: string
  readonly scope: 'change_one' | 'change_later' | 'change_all'
  readonly notifiesOldTopic: boolean
  readonly notifiesNewTopic: boolean
}

/**
 * Moves one message, the message and all later ones of its topic, or the whole topic. Throws the
 * server's refusal.
 */
async function moveMessages(message: WindowMessage, move: Move): Promise<void> {
  const { stream_id, topic, scope, notifiesOldTopic, notifiesNewTopic } = move
  const isOtherStream = stream_id !== message.stream_id
  await client.messages.edit({
    message_id: message.id,
    ...(isOtherStream && { stream_id }),
    topic: topic.trim(),
    propagate_mode: scope,
    send_notification_to_old_thread: notifiesOldTopic,
    send_notification_to_new_thread: notifiesNewTopic,
  })
}
