import { signal, useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { type SendTarget, type Target, targetKey } from '../client/conversations/target.ts'
import { changeDraft, draftOf, type LocalDraft } from '../client/writing/drafts.ts'
import { reportTyping, stopTyping } from '../client/writing/typing.ts'
import { hasFailedUpload, isUploading } from '../client/writing/uploads.ts'
import { t } from '../text/t.ts'
import { editLastOwn } from './edit-last.ts'
import { focusMessages } from './focus.ts'
import type { ComposerCommand } from './keys.ts'
import { sendLater } from './send-later.ts'
import { addTopic, type DraftProblem, findDraftProblem, submit } from './submit.ts'
import { countWildcardMentioned } from './warnings.ts'

/** Whether the preview is open. Stored outside the component, so that it stays open when the view changes. */
const isPreviewed = signal(false)
const isExpanded = signal(false)

export interface ComposerState {
  readonly draft: LocalDraft
  readonly field: RefObject<HTMLTextAreaElement | null>
  readonly topicField: RefObject<HTMLInputElement | null>
  /** The reason why the last attempt to send was stopped before a request was made. */
  readonly problem: DraftProblem | undefined
  readonly hintId: string
  readonly isPreviewed: boolean
  readonly isExpanded: boolean
  readonly waitsForUploads: boolean
  change(change: Partial<LocalDraft>): void
  send(): void
  /** Whether the dialog that asks for a sending time is open. */
  readonly asksTime: boolean
  askTime(): void
  closeTime(): void
  sendAt(time: Date): void
  cancelSend(): void
  /** Solves the shown problem, if it has an action. */
  solve(): void
  doCommand(command: ComposerCommand): void
  togglePreview(): void
  toggleExpanded(): void
}

/** Called after a message was sent, with its conversation, or scheduled, without one. */
export type OnSent = (conversation?: SendTarget) => void

export function useComposer(target: Target, onSent?: OnSent): ComposerState {
  const field = useRef<HTMLTextAreaElement>(null)
  const topicField = useRef<HTMLInputElement>(null)
  const problem = useSignal<DraftProblem | undefined>(undefined)
  /** Action to run when the uploads of the target with this key have ended. */
  const afterUploads = useSignal<{ key: string; run: () => void } | undefined>(undefined)
  const asksTime = useSignal(false)
  /** The text for which a mention of everyone was confirmed. */
  const confirmed = useSignal('')
  const current = useSignal(target)
  current.value = target
  const key = targetKey(target)
  useEffect(() => {
    problem.value = undefined
    afterUploads.value = undefined
  }, [key, problem, afterUploads])
  const sendNow = () => {
    isExpanded.value = false
    const conversation = submit(target)
    stopTyping()
    field.current?.focus()
    onSent?.(conversation)
  }
  const schedule = (time: Date) => {
    const { content, topic } = draftOf(target)
    stopTyping()
    void sendLater(target, addTopic(target, topic), content.trimEnd(), time)
    field.current?.focus()
    onSent?.()
  }
  useSignalEffect(() => {
    const waiting = afterUploads.value
    if (!waiting || isUploading(current.value)) return
    afterUploads.value = undefined
    if (waiting.key !== targetKey(current.value)) return
    problem.value = hasFailedUpload(current.value)
      ? { field: 'text', text: t('composer.upload_failed') }
      : findDraftProblem(current.value)
    if (!problem.value) waiting.run()
  })
  const runAfterUploads = (run: () => void) => {
    if (isUploading(target)) afterUploads.value = { key, run }
    else run()
  }
  /** Returns why the draft cannot be sent. Its text may be empty until its uploads have ended. */
  const findProblem = () => {
    const found = findDraftProblem(target)
    return found?.field === 'text' && isUploading(target) ? undefined : found
  }
  const showProblem = (found: DraftProblem | undefined) => {
    problem.value = found
    if (found) (found.field === 'topic' ? topicField : field).current?.focus()
  }
  const send = () => {
    const { content } = draftOf(target)
    const disturbed = countWildcardMentioned(target, content)
    const needsConfirmation = disturbed !== undefined && confirmed.value !== content
    const found: DraftProblem | undefined = needsConfirmation
      ? { field: 'text', text: t('composer.disturbs', { count: disturbed }) }
      : findProblem()
    if (needsConfirmation) confirmed.value = content
    showProblem(found)
    if (!found) runAfterUploads(sendNow)
  }
  /** Asks for a sending time, or shows why the text cannot be scheduled. */
  const askTime = () => {
    const found = findProblem()
    showProblem(found)
    asksTime.value = !found
  }
  const togglePreview = () => {
    isPreviewed.value = !isPreviewed.value
    field.current?.focus()
  }
  return {
    draft: draftOf(target),
    field,
    topicField,
    problem: problem.value,
    hintId: useId(),
    isPreviewed: isPreviewed.value,
    isExpanded: isExpanded.value,
    waitsForUploads: afterUploads.value !== undefined,
    change(change) {
      problem.value = undefined
      changeDraft(target, change)
      if (change.content === '') stopTyping()
      else if (change.content !== undefined) reportTyping(target)
    },
    send,
    asksTime: asksTime.value,
    askTime,
    closeTime() {
      asksTime.value = false
    },
    sendAt(time) {
      runAfterUploads(() => schedule(time))
    },
    cancelSend() {
      afterUploads.value = undefined
    },
    solve() {
      problem.value?.action?.run()
      problem.value = undefined
      field.current?.focus()
    },
    doCommand(command) {
      if (command === 'send') send()
      else if (command === 'leave') focusMessages()
      else if (command === 'preview') togglePreview()
      else if (command === 'edit last') editLastOwn()
    },
    togglePreview,
    toggleExpanded() {
      isExpanded.value = !isExpanded.value
      field.current?.focus()
    },
  }
}
