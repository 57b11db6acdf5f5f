import type { DraftId } from '@oxbow/contract'
import { batch, computed, signal } from '@preact/signals'
import { type Target, targetKey } from '../conversations/target.ts'

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
  readonly server_id?: DraftId
  /** `changed_at` of the version that the copy contains. */
  readonly saved_at?: number
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
    .filter(([, draft]) => hasText(draft))
    .map(([key, draft]) => ({ key, ...draft }))
    .sort((one, other) => other.changed_at - one.changed_at),
)

export const draftOf = (target: Target): LocalDraft => drafts.value.get(targetKey(target)) ?? emptyDraft

export const hasText = ({ content }: LocalDraft): boolean => content.trim() !== ''

/** Whether the server has the current version of a draft. */
export const isSaved = ({ server_id, saved_at, changed_at }: KeptDraft): boolean =>
  server_id !== undefined && saved_at === changed_at

/** Changes the draft of a target. An empty draft is deleted. */
export function changeDraft(target: Target, change: Partial<LocalDraft>): void {
  const key = targetKey(target)
  const before = drafts.peek().get(key)
  const changed = { ...emptyDraft, ...before, ...change, target, changed_at: findChangeTime(before) }
  if (changed.content === '' && changed.topic === '') dropDraft(key)
  else if (hasText(changed)) setDraft(key, changed)
  else {
    setDraft(key, withoutCopy(changed))
    noteRemovedCopy(changed.server_id)
  }
}

/**
 * Returns the current time, or a later one if the draft was changed on a device whose clock is ahead. The
 * server has the times of drafts in whole seconds.
 */
const findChangeTime = (before?: KeptDraft): number =>
  before ? Math.max(Date.now(), before.changed_at + 1, (before.saved_at ?? 0) + 1_000) : Date.now()

/** Puts a text that was not sent before the text of a draft. */
export function prependToDraft(target: Target, text: string): void {
  const { content } = drafts.peek().get(targetKey(target)) ?? emptyDraft
  changeDraft(target, { content: content === '' ? text : `${text}\n\n${content}` })
}

export function dropDraft(key: string): void {
  const draft = drafts.peek().get(key)
  if (!draft) return
  setDraft(key, undefined)
  noteRemovedCopy(draft.server_id)
}

function setDraft(key: string, draft: KeptDraft | undefined): void {
  const changed = new Map(drafts.peek())
  if (draft) changed.set(key, draft)
  else changed.delete(key)
  drafts.value = changed
}

function withoutCopy({ server_id: _id, saved_at: _time, ...draft }: KeptDraft): KeptDraft {
  return draft
}

/** Returns the draft with this copy on the server, with its key. */
export function findByCopy(server_id: DraftId | undefined): { key: string; draft: KeptDraft } | undefined {
  if (server_id === undefined) return undefined
  for (const [key, draft] of drafts.peek()) if (draft.server_id === server_id) return { key, draft }
  return undefined
}

/**
 * Ids of server copies that were removed since this page was opened; the state may still list them
 * for a moment.
 */
const everRemovedCopyIds = new Set<DraftId>()
const removed = signal<ReadonlySet<DraftId>>(new Set())

/** Ids of server copies of deleted drafts, until the server has removed them too. */
export const removedCopies = computed(() => removed.value)

/** Records that the server's copy of a draft must be removed. */
export function noteRemovedCopy(server_id: DraftId | undefined): void {
  if (server_id === undefined || isRemovedCopy(server_id)) return
  removed.value = new Set([...removed.peek(), server_id])
  detachCopy(server_id)
}

export const isRemovedCopy = (server_id: DraftId): boolean => everRemovedCopyIds.has(server_id)

/** Records that the server no longer has a copy, which this or another device has removed. */
export function noteMissingCopy(server_id: DraftId): void {
  if (removed.peek().has(server_id))
    removed.value = new Set([...removed.peek()].filter((id) => id !== server_id))
  detachCopy(server_id)
}

/**
 * Deletes the draft of a removed copy, because its text was sent or deleted elsewhere. A text that was
 * changed since it was saved is kept as a new draft.
 */
function detachCopy(server_id: DraftId): void {
  everRemovedCopyIds.add(server_id)
  const found = findByCopy(server_id)
  if (found) setDraft(found.key, isSaved(found.draft) ? undefined : withoutCopy(found.draft))
}

/** Adds drafts from another tab, the device or the server, unless the local draft is newer. */
export function addDrafts(found: ReadonlyMap<string, KeptDraft>): void {
  batch(() => {
    for (const [key, draft] of found) {
      const isRemoved = draft.server_id !== undefined && isRemovedCopy(draft.server_id)
      if (isRemoved && isSaved(draft)) continue
      addDraft(key, isRemoved ? withoutCopy(draft) : draft)
    }
  })
}

function addDraft(key: string, draft: KeptDraft): void {
  const known = findByCopy(draft.server_id)
  const hasMoved = known !== undefined && known.key !== key
  if (hasMoved && known.draft.changed_at >= draft.changed_at) return
  if (hasMoved) setDraft(known.key, undefined)
  const local = drafts.peek().get(key)
  const merged = local ? merge(local, draft) : draft
  if (merged !== local) setDraft(key, merged)
  if (!hasText(merged)) noteRemovedCopy(local?.server_id)
}

/** Returns the newer version of a draft, with the copy that either version has on the server. */
function merge(local: KeptDraft, found: KeptDraft): KeptDraft {
  if (local.changed_at < found.changed_at)
    return hasText(found) ? { ...copyOf(local), ...found } : withoutCopy(found)
  const isSame = local.changed_at === found.changed_at && local.content === found.content
  const needsCopy = isSame ? !isSaved(local) : local.server_id === undefined
  return needsCopy && hasText(local) && found.server_id !== undefined ? { ...local, ...copyOf(found) } : local
}

function copyOf({ server_id, saved_at }: KeptDraft): Pick<KeptDraft, 'server_id' | 'saved_at'> {
  return {
    ...(server_id !== undefined && { server_id }),
    ...(saved_at !== undefined && { saved_at }),
  }
}

/**
 * Records that a copy on the server has the version of a draft with this time. The copy may already have
 * been removed by another device, which has sent the text.
 */
export function noteSaved(key: string, server_id: DraftId, saved_at: number): void {
  const draft = drafts.peek().get(key)
  if (!draft || (draft.server_id ?? server_id) !== server_id) return
  setDraft(key, { ...draft, server_id, saved_at })
  if (isRemovedCopy(server_id)) detachCopy(server_id)
}
