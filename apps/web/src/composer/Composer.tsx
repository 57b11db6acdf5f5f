import './Composer.css'
import { maxContentBytes } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { changeDraft, draftOf } from '../data/drafts.ts'
import { entersSend } from '../data/store.ts'
import type { Target } from '../data/target.ts'
import { targetKey } from '../data/target-key.ts'
import { loadRenderer } from '../text/render.ts'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'
import { applyEdit, readSelected } from './apply-edit.ts'
import { editForCommand } from './commands.ts'
import { continueList } from './insert.ts'
import { findCommand } from './keys.ts'
import { labelOf } from './names.ts'
import { countBytes, findObjection, shownFromBytes, submit } from './submit.ts'

/** Writes to a target, which its label names. What is typed is kept as the draft of the target. */
export function Composer({ target }: { target: Target }) {
  const field = useRef<HTMLTextAreaElement>(null)
  const topicField = useRef<HTMLInputElement>(null)
  const objection = useSignal<string | undefined>(undefined)
  const { content, topic } = draftOf(target)
  const key = targetKey(target)
  const hint = useId()
  const label = labelOf(target)
  const choosesTopic = target.type === 'stream' && target.topic === undefined
  useEffect(() => {
    objection.value = undefined
  }, [key, objection])
  const send = () => {
    const found = findObjection(target)
    objection.value = found?.text
    if (!found) submit(target)
    const next = found?.field === 'topic' ? topicField.current : field.current
    next?.focus()
  }
  const press = (event: KeyboardEvent) => {
    const textarea = field.current
    if (!textarea) return
    const isEmpty = textarea.value === ''
    const command = findCommand(event, { entersSend: entersSend.value ?? false, isEmpty })
    if (command === undefined) return
    const selected = readSelected(textarea)
    if (command === 'send') send()
    else if (command === 'leave') document.getElementById('main')?.focus()
    else if (command === 'line') {
      const edit = continueList(selected)
      if (!edit && !event.ctrlKey && !event.metaKey) return
      const { start, end } = selected
      applyEdit(textarea, edit ?? { from: start, to: end, insert: '\n', start: start + 1, end: start + 1 })
    } else {
      const edit = editForCommand(command, selected)
      if (!edit) return
      applyEdit(textarea, edit)
    }
    event.preventDefault()
  }
  return (
    <form
      class="Composer"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {choosesTopic && (
        <label class="Composer-topic">
          <span>{t('composer.topic')}</span>
          <input
            ref={topicField}
            type="text"
            value={topic}
            autocomplete="off"
            onInput={({ currentTarget }) => changeDraft(target, { topic: currentTarget.value })}
          />
        </label>
      )}
      <textarea
        ref={field}
        class="Composer-text"
        rows={1}
        value={content}
        placeholder={label}
        aria-label={label}
        aria-describedby={objection.value ? hint : undefined}
        dir="auto"
        onFocus={() => void loadRenderer()}
        onInput={({ currentTarget }) => changeDraft(target, { content: currentTarget.value })}
        onKeyDown={press}
      />
      <div class="Composer-bar">
        <span class="Composer-hint" id={hint} role="status">
          {objection.value ?? <ByteCount content={content} />}
        </span>
        <Button type="submit" look="primary" icon="send-horizontal">
          {t('composer.send')}
        </Button>
      </div>
    </form>
  )
}

/** Counts the bytes of a text that comes near the maximum. */
function ByteCount({ content }: { content: string }) {
  // A character has at most three bytes per code unit, so most texts need not be counted.
  if (content.length * 3 < shownFromBytes) return null
  const { used, excess } = countBytes(content)
  if (excess > 0) return <b class="Composer-excess">{t('composer.too_many_bytes', { count: excess })}</b>
  return used < shownFromBytes ? null : <span>{t('composer.bytes', { used, max: maxContentBytes })}</span>
}
