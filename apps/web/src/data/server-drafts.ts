import type { Draft, DraftToSave } from '@oxbow/contract'
import { effect } from '@preact/signals'
import { client } from './client.ts'
import {
  addDrafts,
  forgetRemovedCopy,
  isRemovedCopy,
  type KeptDraft,
  keptDrafts,
  noteRemovedCopy,
  noteServerId,
  removedCopies,
} from './drafts.ts'
import { drafts as serverDrafts } from './store.ts'
import type { Target } from './target.ts'
import { targetKey } from './target-key.ts'

/** A draft is sent to the server this long after its last change. */
const debounceMs = 5_000

/** Converts a draft of the server to a local one; undefined if it has no target. */
export function fromServer({ id, type, to, topic, content, timestamp }: Draft): KeptDraft | undefined {
  const [stream_id] = to
  const kept = { content, topic: '', changed_at: timestamp * 1000, server_id: id as number }
  if (type === 'private' && to.length > 0) return { ...kept, target: { type, user_ids: to } }
  if (type !== 'stream' || stream_id === undefined) return undefined
  const target: Target = topic === '' ? { type, stream_id } : { type, stream_id, topic }
  return { ...kept, target }
}

/** Converts a local draft to the server's form. */
export function toServer({ target, content, topic, changed_at }: KeptDraft): DraftToSave {
  return {
    type: target.type,
    to: target.type === 'stream' ? [target.stream_id] : [...target.user_ids],
    topic: target.type === 'stream' ? (target.topic ?? topic) : '',
    content,
    timestamp: Math.floor(changed_at / 1000),
  }
}

/** Synchronizes the drafts of this device with the server's. The newer version of a draft wins. */
export function startServerDrafts(): void {
  effect(() => {
    const found = (serverDrafts.value ?? []).flatMap((draft) => {
      const kept = isRemovedCopy(draft.id) ? undefined : fromServer(draft)
      return kept ? [[targetKey(kept.target), kept] as const] : []
    })
    addDrafts(new Map(found))
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  effect(() => {
    const wanted = keptDrafts.value
    removedCopies.value
    clearTimeout(timer)
    timer = setTimeout(() => void save(wanted), debounceMs)
  })
}

/** Drafts that the server has, by key, with the time of their last change. */
const savedCopies = new Map<string, { id: number; changed_at: number }>()

async function save(wanted: ReadonlyMap<string, KeptDraft>): Promise<void> {
  for (const [key, draft] of wanted) {
    if (draft.content.trim() === '' || savedCopies.get(key)?.changed_at === draft.changed_at) continue
    const known = savedCopies.get(key)?.id ?? draft.server_id
    const isNew = known === undefined
    // A draft that came from the server is already stored there.
    if (!isNew && !savedCopies.has(key)) savedCopies.set(key, { id: known, changed_at: draft.changed_at })
    else await saveOne(key, draft, known)
  }
  for (const [key, { id }] of savedCopies) {
    if (wanted.has(key)) continue
    savedCopies.delete(key)
    noteRemovedCopy(id)
  }
  for (const id of removedCopies.peek()) await removeCopy(id)
}

async function removeCopy(id: number): Promise<void> {
  try {
    await client.drafts.remove({ draft_id: id as never })
    forgetRemovedCopy(id)
  } catch (error) {
    if ((error as { status?: number }).status === 404) forgetRemovedCopy(id)
    // A failed request is retried with the next change of the draft.
  }
}

async function saveOne(key: string, draft: KeptDraft, known: number | undefined): Promise<void> {
  try {
    const id = known ?? (await create(draft))
    if (known !== undefined) await client.drafts.edit({ draft_id: known as never, draft: toServer(draft) })
    if (id === undefined) return
    savedCopies.set(key, { id, changed_at: draft.changed_at })
    noteServerId(key, id)
  } catch (error) {
    // Another device has deleted the draft; the next change creates it again.
    if ((error as { status?: number }).status === 404) savedCopies.delete(key)
  }
}

async function create(draft: KeptDraft): Promise<number | undefined> {
  const { ids } = await client.drafts.create({ drafts: [toServer(draft)] })
  return ids[0]
}
