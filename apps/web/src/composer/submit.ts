import { countCharacters, maxContentBytes, maxLengthOfTopic } from '@oxbow/contract/plain'
import { batch } from '@preact/signals'
import type { SendTarget, Target } from '../client/conversations/target.ts'
import { requiresTopics } from '../client/store.ts'
import { changeDraft, draftOf } from '../client/writing/drafts.ts'
import { enqueue } from '../client/writing/outbox.ts'
import { forgetUploads, listDamaged, restoreDamaged, uploadsOf } from '../client/writing/uploads.ts'
import { t } from '../text/t.ts'

/** From this number of bytes on, the size of the text is shown. */
export const shownFromBytes = 9_000

/** The topic that the server gives to messages without one. */
export const noTopic = '(no topic)'

export function countBytes(content: string): { used: number; excess: number } {
  const used = new TextEncoder().encode(content.trimEnd()).length
  return { used, excess: Math.max(used - maxContentBytes, 0) }
}

export interface DraftProblem {
  /** The field that the user must change. */
  field: 'topic' | 'text'
  text: string
  /** Solves the problem, if the client can. */
  action?: { text: string; run(): void }
}

/** Returns why the draft of a target cannot be sent. The server may refuse it for further reasons. */
export function findDraftProblem(target: Target): DraftProblem | undefined {
  const { content, topic } = draftOf(target)
  if (target.type === 'stream' && target.topic === undefined) {
    const written = topic.trim()
    if (written === '' && requiresTopics.value) return { field: 'topic', text: t('composer.topic_missing') }
    const excess = countCharacters(written) - maxLengthOfTopic(written)
    if (excess > 0) return { field: 'topic', text: t('composer.topic_too_long', { count: excess }) }
  }
  if (content.trim() === '') return { field: 'text', text: t('composer.empty') }
  const { excess } = countBytes(content)
  if (excess > 0) return { field: 'text', text: t('composer.too_many_bytes', { count: excess }) }
  const [damaged] = listDamaged(target)
  if (!damaged) return undefined
  const action = { text: t('composer.restore_link'), run: () => restoreDamaged(target) }
  return { field: 'text', text: t('composer.link_damaged', { name: damaged.file.name }), action }
}

/**
 * Moves the draft of a target to the outbox, which shows and sends it. Returns the conversation to which
 * the message is sent.
 */
export function submit(target: Target): SendTarget {
  const { content, topic } = draftOf(target)
  const conversation = addTopic(target, topic)
  batch(() => {
    enqueue(conversation, content.trimEnd())
    forgetUploads(uploadsOf(target))
    changeDraft(target, { content: '' })
  })
  return conversation
}

/** Returns the target with the topic that the user entered, or `noTopic`, if it has no topic yet. */
export const addTopic = (target: Target, topic: string): SendTarget =>
  target.type === 'private' ? target : { ...target, topic: target.topic ?? (topic.trim() || noTopic) }
