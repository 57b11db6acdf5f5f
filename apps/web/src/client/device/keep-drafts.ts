import type { DraftId } from '@oxbow/contract'
import { batch, effect } from '@preact/signals'
import {
  addDrafts,
  dropDraft,
  isRemovedCopy,
  type KeptDraft,
  keptDrafts,
  noteRemovedCopy,
  removedCopies,
} from '../writing/drafts.ts'
import { onTabMessage, postToTabs } from './channel.ts'
import type { Change } from './database.ts'
import { readDevice, writeDevice } from './device.ts'

declare module './channel.ts' {
  interface TabMessages {
    /** Drafts that a tab has changed or deleted. */
    drafts: readonly ChangedDraft[]
    /** Ids of the server copies of drafts that a tab has deleted. */
    'removed drafts': readonly DraftId[]
  }
}

interface ChangedDraft {
  readonly key: string
  /** Undefined if the draft was deleted. */
  readonly draft?: KeptDraft
  /** Time of the last change of the text that was changed or deleted. */
  readonly changed_at: number
}

/** A draft is stored this long after its last change. */
const debounceMs = 300
/** Key of the record with the ids of server copies to remove. No target has this key. */
const removedKey = 'removed'

/** The drafts and removed copies that are stored on the device, and that the other tabs know. */
let written: ReadonlyMap<string, KeptDraft> = new Map()
let writtenRemoved = removedCopies.peek()

/** Stores drafts on the device, and synchronizes them with other tabs; the last change wins. */
export async function startKeptDrafts(): Promise<void> {
  onTabMessage('drafts', applyFromTab)
  onTabMessage('removed drafts', noteRemovedCopies)
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    keptDrafts.value
    removedCopies.value
    clearTimeout(timer)
    timer = setTimeout(saveDrafts, debounceMs)
  })
  addEventListener('pagehide', saveDrafts)
  const kept = await readDevice(['drafts'])
  if (!kept) return
  const { [removedKey]: removed, ...drafts } = Object.fromEntries(kept.drafts)
  noteRemovedCopies((removed ?? []) as DraftId[])
  const found = new Map(Object.entries(drafts) as [string, KeptDraft][])
  written = new Map([...found, ...written])
  addDrafts(found)
}

function saveDrafts(): void {
  void writeDevice(takeDraftChanges())
}

/** Returns the changes since the last call, to be written, and reports them to the other tabs. */
export function takeDraftChanges(): Change[] {
  const [drafts, removed] = [keptDrafts.peek(), removedCopies.peek()]
  const changed = [...drafts].filter(([key, draft]) => written.get(key) !== draft)
  const deleted = [...written].filter(([key]) => !drafts.has(key))
  const changes: Change[] = [
    ...changed.map(([key, value]) => ({ store: 'drafts' as const, key, value })),
    ...deleted.map(([key]) => ({ store: 'drafts' as const, key })),
    ...(removed === writtenRemoved
      ? []
      : [{ store: 'drafts' as const, key: removedKey, value: [...removed] }]),
  ]
  if (changed.length + deleted.length > 0)
    postToTabs('drafts', [
      ...changed.map(([key, draft]) => ({ key, draft, changed_at: draft.changed_at })),
      ...deleted.map(([key, { changed_at }]) => ({ key, changed_at })),
    ])
  const removedIds = [
    ...[...written.values()].flatMap(({ server_id: id }) =>
      id !== undefined && isRemovedCopy(id) ? [id] : [],
    ),
    ...[...removed].filter((id) => !writtenRemoved.has(id)),
  ]
  // After the drafts, because a draft without its copy would be stored again.
  if (removedIds.length > 0) postToTabs('removed drafts', removedIds)
  written = drafts
  writtenRemoved = removed
  return changes
}

/** Records removed copies that another tab or an earlier page has reported. */
function noteRemovedCopies(ids: readonly DraftId[]): void {
  batch(() => ids.forEach(noteRemovedCopy))
  writtenRemoved = new Set([...writtenRemoved, ...ids])
}

/** Applies changes that another tab has stored. Changes of this tab that are not stored yet remain so. */
function applyFromTab(changes: readonly ChangedDraft[]): void {
  const nowWritten = new Map(written)
  for (const { key, draft, changed_at } of changes) {
    const local = keptDrafts.peek().get(key)
    const known = written.get(key)
    const isDeletedHere = known !== undefined && !local && changed_at <= known.changed_at
    if (isDeletedHere) continue
    if (draft) addDrafts(new Map([[key, draft]]))
    else if (local && local.changed_at <= changed_at) dropDraft(key)
    const result = keptDrafts.peek().get(key)
    if (!result) nowWritten.delete(key)
    else if (local === known) nowWritten.set(key, result)
  }
  written = nowWritten
}
