import { computed, signal } from '@preact/signals'
import type { Target } from './target.ts'
import { targetKey } from './target-key.ts'

/** A text that was begun, with the topic that was chosen for it. */
export interface LocalDraft {
  readonly content: string
  /** The topic field, where the target has no topic. */
  readonly topic: string
}

const emptyDraft: LocalDraft = { content: '', topic: '' }

const drafts = signal<ReadonlyMap<string, LocalDraft>>(new Map())

/** Texts that were begun, by the key of their target. */
export const localDrafts = computed(() => drafts.value)

export const draftOf = (target: Target): LocalDraft => drafts.value.get(targetKey(target)) ?? emptyDraft

/** Changes the draft of a target. An empty one is forgotten. */
export function changeDraft(target: Target, change: Partial<LocalDraft>): void {
  const key = targetKey(target)
  const changed = { ...draftOf(target), ...change }
  const next = new Map(drafts.peek())
  if (changed.content === '' && changed.topic === '') next.delete(key)
  else next.set(key, changed)
  drafts.value = next
}
