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
    /** Drafts that a tab has changed; those without a draft are gone since this time. */
    drafts: readonly { key: string; draft?: KeptDraft; changed_at: number }[]
  }
}

/** A draft is written this long after its last change. */
const quietMs = 300
/** Key of the record with the ids of copies that the server shall remove. No target has such a key. */
const removedKey = 'removed'

let written: ReadonlyMap<string, KeptDraft> = new Map()
let writtenRemoved = removedCopies.peek()

/** Keeps the drafts on the device, and in step with those of other tabs; the last change wins. */
export async function startKeptDrafts(): Promise<void> {
  onTabMessage('drafts', takeOver)
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    keptDrafts.value
    removedCopies.value
    clearTimeout(timer)
    timer = setTimeout(saveDrafts, quietMs)
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

/** Returns what has changed since the last call, to be written. */
export function takeDraftChanges(): Change[] {
  const [drafts, removed] = [keptDrafts.peek(), removedCopies.peek()]
  const changed = [...drafts].filter(([key, draft]) => written.get(key) !== draft)
  const gone = [...written.keys()].filter((key) => !drafts.has(key))
  const changes: Change[] = [
    ...changed.map(([key, value]) => ({ store: 'drafts' as const, key, value })),
    ...gone.map((key) => ({ store: 'drafts' as const, key })),
    ...(removed === writtenRemoved
      ? []
      : [{ store: 'drafts' as const, key: removedKey, value: [...removed] }]),
  ]
  written = drafts
  writtenRemoved = removed
  const now = Date.now()
  if (changed.length + gone.length > 0)
    postToTabs('drafts', [
      ...changed.map(([key, draft]) => ({ key, draft, changed_at: draft.changed_at })),
      ...gone.map((key) => ({ key, changed_at: now })),
    ])
  return changes
}

/** Takes over what another tab changed and has written. */
function takeOver(changes: readonly { key: string; draft?: KeptDraft; changed_at: number }[]): void {
  const ours = takeDraftChanges()
  void writeDevice(ours)
  for (const { key, draft, changed_at } of changes) {
    const here = keptDrafts.peek().get(key)
    if (draft) addDrafts(new Map([[key, draft]]))
    else if (here && here.changed_at <= changed_at) dropDraft(key)
  }
  written = keptDrafts.peek()
}
