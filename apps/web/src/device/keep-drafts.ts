import { effect } from '@preact/signals'
import {
  addDrafts,
  dropDraft,
  type KeptDraft,
  keptDrafts,
  noteRemovedCopy,
  removedCopies,
} from '../data/drafts.ts'
import { onTabMessage, postToTabs } from './channel.ts'
import type { Change } from './database.ts'
import { readDevice, writeDevice } from './device.ts'

declare module './channel.ts' {
  interface TabMessages {
    /** Drafts that a tab has changed. An entry without a draft was deleted at `changed_at`. */
    drafts: readonly { key: string; draft?: KeptDraft; changed_at: number }[]
  }
}

/** A draft is stored this long after its last change. */
const debounceMs = 300
/** Key of the record with the ids of server copies to remove. No target has this key. */
const removedKey = 'removed'

let written: ReadonlyMap<string, KeptDraft> = new Map()
let writtenRemoved = removedCopies.peek()

/** Stores drafts on the device, and synchronizes them with other tabs; the last change wins. */
export async function startKeptDrafts(): Promise<void> {
  onTabMessage('drafts', applyFromTab)
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
  for (const id of (removed ?? []) as number[]) noteRemovedCopy(id)
  const found = new Map(Object.entries(drafts) as [string, KeptDraft][])
  written = new Map([...found, ...written])
  addDrafts(found)
}

function saveDrafts(): void {
  void writeDevice(takeDraftChanges())
}

/** Returns the changes since the last call, to be written. */
export function takeDraftChanges(): Change[] {
  const [drafts, removed] = [keptDrafts.peek(), removedCopies.peek()]
  const changed = [...drafts].filter(([key, draft]) => written.get(key) !== draft)
  const deletedKeys = [...written.keys()].filter((key) => !drafts.has(key))
  const changes: Change[] = [
    ...changed.map(([key, value]) => ({ store: 'drafts' as const, key, value })),
    ...deletedKeys.map((key) => ({ store: 'drafts' as const, key })),
    ...(removed === writtenRemoved
      ? []
      : [{ store: 'drafts' as const, key: removedKey, value: [...removed] }]),
  ]
  written = drafts
  writtenRemoved = removed
  const now = Date.now()
  if (changed.length + deletedKeys.length > 0)
    postToTabs('drafts', [
      ...changed.map(([key, draft]) => ({ key, draft, changed_at: draft.changed_at })),
      ...deletedKeys.map((key) => ({ key, changed_at: now })),
    ])
  return changes
}

/** Applies changes that another tab has stored. */
function applyFromTab(changes: readonly { key: string; draft?: KeptDraft; changed_at: number }[]): void {
  const ours = takeDraftChanges()
  void writeDevice(ours)
  for (const { key, draft, changed_at } of changes) {
    const local = keptDrafts.peek().get(key)
    if (draft) addDrafts(new Map([[key, draft]]))
    else if (local && local.changed_at <= changed_at) dropDraft(key)
  }
  written = keptDrafts.peek()
}
