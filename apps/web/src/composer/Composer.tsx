import './Composer.css'
import { maxContentBytes } from '@oxbow/contract/plain'
import { useCallback, useEffect, useRef } from 'preact/hooks'
import { type Target, targetKey } from '../client/conversations/target.ts'
import { entersSend } from '../client/store.ts'
import { focusedOnOpen } from '../client/writing/composer-focus.ts'
import { addFiles } from '../client/writing/uploads.ts'
import { lazyView } from '../frame/lazy-view.tsx'
import { t } from '../text/t.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { Notice } from '../ui/Notice.tsx'
import { FormatBar } from './FormatBar.tsx'
import { labelOf } from './names.ts'
import { findObstacle } from './obstacle.ts'
import { Preview } from './Preview.tsx'
import { countBytes, shownFromBytes } from './submit.ts'
import { TopicField } from './TopicField.tsx'
import { UploadTiles } from './UploadTiles.tsx'
import { type OnSent, useComposer } from './use-composer.ts'
import { useDroppedFiles } from './use-dropped-files.ts'
import { useOpenWhileUsed } from './use-open-while-used.ts'
import { WritingField } from './WritingField.tsx'
import { listWarnings } from './warnings.ts'

const TimeDialog = lazyView(() => import('./TimeDialog.tsx').then((module) => module.TimeDialog))

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Composes messages to one target, which its label names. The text is saved as the draft of the target. */
export function Composer({ target, onSent }: { target: Target; onSent?: OnSent }) {
  const obstacle = findObstacle(target)
  if (obstacle === undefined) return <OpenComposer target={target} onSent={onSent} />
  return (
    <div class="Composer-obstacle">
      <Icon name="lock" />
      {obstacle}
    </div>
  )
}

function OpenComposer({ target, onSent }: { target: Target; onSent: OnSent | undefined }) {
  const composer = useComposer(target, onSent)
  const { draft, field, topicField, problem, hintId } = composer
  const { isOpen, ...focusEvents } = useOpenWhileUsed()
  useEffect(() => {
    if (focusedOnOpen.peek() !== targetKey(target)) return
    focusedOnOpen.value = undefined
    ;(topicField.current ?? field.current)?.focus()
  }, [target, field, topicField])
  const label = labelOf(target)
  const form = useRef<HTMLFormElement>(null)
  const focusField = () => field.current?.focus()
  const addFilesHere = useCallback(
    (files: readonly File[]) => {
      addFiles(target, files)
      focusField()
    },
    [target],
  )
  const isDropTarget = useDroppedFiles(form, addFilesHere)
  const describedBy = problem ? hintId : undefined
  return (
    <>
      <form
        ref={form}
        class="Composer"
        aria-label={label}
        data-preview={composer.isPreviewed || undefined}
        data-expanded={composer.isExpanded || undefined}
        data-open={isOpen || draft.content !== '' || undefined}
        {...focusEvents}
        onSubmit={(event) => {
          event.preventDefault()
          composer.send()
        }}
      >
        <Warnings target={target} content={draft.content} />
        {target.type === 'stream' && target.topic === undefined && (
          <TopicField
            stream_id={target.stream_id}
            value={draft.topic}
            field={topicField}
            describedBy={problem?.field === 'topic' ? describedBy : undefined}
            onInput={(topic) => composer.change({ topic })}
            onDone={focusField}
          />
        )}
        <div class="Composer-texts">
          <WritingField
            value={draft.content}
            label={label}
            placeholder={label}
            target={target}
            field={field}
            describedBy={problem?.field === 'text' ? describedBy : undefined}
            onInput={(content) => composer.change({ content })}
            onCommand={composer.doCommand}
            onFiles={addFilesHere}
          />
          {composer.isPreviewed && <Preview text={draft.content} />}
        </div>
        <UploadTiles target={target} onRemove={focusField} />
        {problem?.action && (
          <Notice look="danger">
            <span id={hintId}>{problem.text}</span>{' '}
            <Button look="plain" onClick={composer.solve}>
              {problem.action.text}
            </Button>
          </Notice>
        )}
        {isDropTarget && <div class="Composer-drop">{t('composer.drop')}</div>}
        <div class="Composer-bar">
          <FormatBar field={field} onFiles={addFilesHere} />
          <span
            class="Composer-hint"
            id={problem?.action ? undefined : hintId}
            role="status"
            data-look={problem ? 'danger' : undefined}
          >
            {problem && !problem.action ? problem.text : <ByteCount content={draft.content} />}
          </span>
          {draft.content !== '' && !entersSend.value && (
            <span class="Composer-keys" aria-hidden="true">
              {isMac ? t('composer.send_keys_mac') : t('composer.send_keys')}
            </span>
          )}
          <span class="Composer-tools">
            <IconButton
              icon={composer.isExpanded ? 'minimize-2' : 'maximize-2'}
              label={composer.isExpanded ? t('composer.shrink') : t('composer.expand')}
              onClick={composer.toggleExpanded}
            />
            <IconButton
              icon={composer.isPreviewed ? 'eye-off' : 'eye'}
              label={t('composer.preview_key')}
              isPressed={composer.isPreviewed}
              onClick={composer.togglePreview}
            />
            <IconButton icon="clock" label={t('later.send')} onClick={composer.askTime} />
          </span>
          {composer.waitsForUploads ? (
            <Button icon="x" onClick={composer.cancelSend}>
              {t('composer.cancel_send')}
            </Button>
          ) : (
            <Button type="submit" look="primary" icon="send-horizontal">
              <span class="Composer-send">{t('composer.send')}</span>
            </Button>
          )}
        </div>
      </form>
      {composer.asksTime && (
        <TimeDialog
          title={t('later.send')}
          confirm={t('later.schedule')}
          onChoose={composer.sendAt}
          onClose={composer.closeTime}
        />
      )}
    </>
  )
}

function Warnings({ target, content }: { target: Target; content: string }) {
  return (
    <>
      {listWarnings(target, content).map(({ key, text, action }) => (
        <Notice key={key} look="warning">
          {text}{' '}
          {action && (
            <Button look="plain" onClick={action.run}>
              {action.text}
            </Button>
          )}
        </Notice>
      ))}
    </>
  )
}

/** Shows the size of a text that approaches the maximum. */
function ByteCount({ content }: { content: string }) {
  // A code unit has at most three bytes, so most texts need not be encoded to be measured.
  if (content.length * 3 < shownFromBytes) return null
  const { used, excess } = countBytes(content)
  if (excess > 0) return <b class="Composer-excess">{t('composer.too_many_bytes', { count: excess })}</b>
  return used < shownFromBytes ? null : <span>{t('composer.bytes', { used, max: maxContentBytes })}</span>
}
