import { computed, signal } from '@preact/signals'
import type { Target } from './target.ts'
import { targetKey } from './target-key.ts'

/** An unfinished text, with the topic that was chosen for it. */
export interface LocalDraft {
  readonly content: string
  /** Content of the topic field, if the target has no topic. */
  readonly topic: string
}

/** A draft as it is stored. */
export interface KeptDraft extends LocalDraft {
  readonly target: Target
  /** Time of the last change, in milliseconds. */
  readonly changed_at: number
  /** Id of its copy on the server. */
  readonly server_id?: number
}

export interface ShownDraft extends KeptDraft {
  readonly key: string
}

const emptyDraft: LocalDraft = { content: '', topic: '' }

const drafts = signal<ReadonlyMap<string, KeptDraft>>(new Map())

/** Drafts by the key of their target. */
export const keptDrafts = computed(() => drafts.value)

/** Drafts that are not empty, newest first. */
export const listDrafts = computed((): ShownDraft[] =>
  [...drafts.value]
    .filter(([, { content }]) => content.trim() !== '')
    .map(([key, draft]) => ({ key, ...draft }))
    .sort((one, other) => other.changed_at - one.changed_at),
)

export const draftOf = (target: Target): LocalDraft => drafts.value.get(targetKey(target)) ?? emptyDraft

/** Changes the draft of a target. An empty draft is deleted. */
export function changeDraft(target: Target, change: Partial<LocalDraft>): void {
  const key = targetKey(target)
  const before = drafts.peek().get(key)
  const changed = { ...emptyDraft, ...before, ...change, target, changed_at: Date.now() }
  if (changed.content === '' && changed.topic === '') dropDraft(key)
  else if (changed.content.trim() === '') {
    const { server_id, ...rest } = changed
    noteRemovedCopy(server_id)
    drafts.value = new Map(drafts.peek()).set(key, rest)
  } else drafts.value = new Map(drafts.peek()).set(key, changed)
}

export function dropDraft(key: string): void {
  if (!drafts.peek().has(key)) return
  const rest = new Map(drafts.peek())
  noteRemovedCopy(rest.get(key)?.server_id)
  rest.delete(key)
  drafts.value = rest
}

/**
 * Ids of server copies that were removed since this page was opened; the state may still list them
 * for a moment.
 */
const everRemovedCopyIds = new Set<number>()
const removed = signal<ReadonlySet<number>>(new Set())

/** Ids of server copies of deleted drafts, until the server has removed them too. */
export const removedCopies = computed(() => removed.value)

/** Records that the server's copy of a draft must be removed. */
export function noteRemovedCopy(server_id: number | undefined): void {
  if (server_id === undefined || everRemovedCopyIds.has(server_id)) return
  everRemovedCopyIds.add(server_id)
  removed.value = new Set([...removed.peek(), server_id])
}

export const isRemovedCopy = (server_id: number): boolean => everRemovedCopyIds.has(server_id)

/** Records that the server has removed its copy of a draft. */
export function forgetRemovedCopy(server_id: number): void {
  removed.value = new Set([...removed.peek()].filter((id) => id !== server_id))
}

/** Adds drafts from another tab, the device or the server, unless the local draft is newer. */
export function addDrafts(found: ReadonlyMap<string, KeptDraft>): void {
  const merged = new Map(drafts.peek())
  for (const [key, draft] of found) {
    const local = merged.get(key)
    if (!local || local.changed_at < draft.changed_at) merged.set(key, draft)
    else if (local.server_id === undefined && draft.server_id !== undefined)
      merged.set(key, { ...local, server_id: draft.server_id })
  }
  drafts.value = merged
}

/** Records the id under which the server stores a draft. */
export function noteServerId(key: string, server_id: number | undefined): void {
  const draft = drafts.peek().get(key)
  if (!draft || draft.server_id === server_id) return
  const { server_id: _before, ...rest } = draft
  drafts.value = new Map(drafts.peek()).set(key, { ...rest, ...(server_id !== undefined && { server_id }) })
}
