import { useSignal } from '@preact/signals'
import { closeDialog, closeDialogOf, type OpenDialog, openDialog } from '../client/open-dialogs.ts'
import { findStreamId } from '../client/route/route.ts'
import { openRoute, route } from '../client/route/router.ts'
import { knownStreams } from '../client/streams/streams.ts'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { IconName } from '../ui/icon-names.generated.ts'
import { archiveStream, deleteTopic } from './edit-stream.ts'
import { leaveStream } from './subscribe.ts'

/** The open dialog about a stream. */
export function StreamDialogs() {
  const open = openDialog.value
  if (open?.kind !== 'leave' && open?.kind !== 'archive' && open?.kind !== 'delete topic') return null
  const stream = knownStreams.value.get(open.stream_id)
  if (!stream) return null
  if (open.kind === 'leave')
    return (
      <Question
        kind={open.kind}
        title={t('streams.leave_title', { stream: stream.name })}
        text={t('streams.leave_final')}
        icon="log-out"
        button={t('streams.leave')}
        onConfirm={() => leaveStream(stream)}
      />
    )
  if (open.kind === 'delete topic')
    return (
      <Question
        kind={open.kind}
        title={t('streams.delete_topic_title', { topic: open.topic })}
        text={t('streams.delete_topic_hint')}
        icon="trash-2"
        button={t('streams.delete_topic')}
        onConfirm={() => deleteTopic(stream, open.topic)}
      />
    )
  return (
    <Question
      kind={open.kind}
      title={t('streams.archive_title', { stream: stream.name })}
      text={t('streams.archive_hint')}
      icon="archive"
      button={t('streams.archive_button')}
      onConfirm={async () => {
        await archiveStream(stream)
        // Leaves the pages of the archived stream, because they would only report that it does not
        // exist.
        if (findStreamId(route.peek()) === stream.stream_id) openRoute({ view: 'streams', page: 'all' })
      }}
    />
  )
}

interface QuestionProps {
  kind: OpenDialog['kind']
  title: string
  text: string
  icon: IconName
  button: string
  /** Throws the server's refusal, which the dialog shows. */
  onConfirm: () => Promise<unknown>
}

function Question({ kind, title, text, icon, button, onConfirm }: QuestionProps) {
  const refusal = useSignal<string | undefined>(undefined)
  const confirm = async () => {
    try {
      await onConfirm()
      closeDialogOf(kind)
    } catch (error) {
      refusal.value = readRefusal(error).reason
    }
  }
  return (
    <Dialog
      title={title}
      onClose={closeDialog}
      actions={
        <>
          <Button onClick={closeDialog}>{t('ui.cancel')}</Button>
          <Button look="danger" icon={icon} onClick={() => void confirm()}>
            {button}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      {refusal.value && (
        <p class="Field-problem" role="alert">
          {refusal.value}
        </p>
      )}
    </Dialog>
  )
}
