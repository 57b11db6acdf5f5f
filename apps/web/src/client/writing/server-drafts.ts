import type { Draft, DraftId, DraftToSave, StreamId, UserId } from '@oxbow/contract'
import { batch, computed, effect, signal } from '@preact/signals'
import { client } from '../client.ts'
import { connection } from '../connection.ts'
import { type Target, targetKey } from '../conversations/target.ts'
import { isLeading } from '../device/tabs.ts'
import { limitCall } from '../pending.ts'
import { repeatUntilAnswered } from '../repeat-until-answered.ts'
import { drafts as serverDrafts } from '../store.ts'
import {
  addDrafts,
  findByCopy,
  hasText,
  isSaved,
  type KeptDraft,
  keptDrafts,
  noteMissingCopy,
  noteRemovedCopy,
  noteSaved,
  removedCopies,
} from './drafts.ts'

/** A draft is sent to the server this long after its last change, or when the page is hidden or closed. */
const debounceMs = 5_000

/** Converts a draft of the server to a local one; undefined if it has no target. */
function fromServer({ id, type, to, topic, content, timestamp }: Draft): KeptDraft | undefined {
  const changed_at = timestamp * 1000
  const kept = { content, topic: '', changed_at, server_id: id, saved_at: changed_at }
  if (type === 'private' && to.length > 0) return { ...kept, target: { type, user_ids: to as UserId[] } }
  const [stream_id] = to as StreamId[]
  if (type !== 'stream' || stream_id === undefined) return undefined
  const target: Target = topic === '' ? { type, stream_id } : { type, stream_id, topic }
  return { ...kept, target }
}

/** Converts a local draft to the server's form. */
function toServer({ target, content, topic, changed_at }: KeptDraft): DraftToSave {
  return {
    type: target.type,
    to: target.type === 'stream' ? [target.stream_id] : [...target.user_ids],
    topic: target.type === 'stream' ? (target.topic ?? topic) : '',
    content,
    timestamp: Math.floor(changed_at / 1000),
  }
}

/** Whether the page is hidden, and may be closed before a request has ended. */
let isHidden = false

/** Whether a draft is being created on the server, whose event may arrive before the response. */
const isCreating = signal(false)
const isConnected = computed(() => connection.value.status === 'live')

/**
 * Synchronizes the drafts of this device with the server's. The newer version of a draft wins. Only the
 * leader creates, changes and removes copies; other tabs receive the results from it. Returns a function
 * that stops the synchronization.
 */
export function startServerDrafts(): () => void {
  let last = Promise.resolve()
  const run = (work: () => Promise<void>) => {
    last = last.then(work)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const canSave = () => isLeading() && isConnected.value
  const noteVisibility = () => {
    isHidden = document.visibilityState === 'hidden'
    if (isHidden && canSave()) run(saveDrafts)
  }
  addEventListener('visibilitychange', noteVisibility)
  const stops = [
    () => removeEventListener('visibilitychange', noteVisibility),
    followServer(),
    effect(() => {
      const isNeeded = removedCopies.value.size > 0
      if (isNeeded && canSave()) run(removeCopies)
    }),
    effect(() => {
      keptDrafts.value
      clearTimeout(timer)
      if (canSave()) timer = setTimeout(() => run(saveDrafts), debounceMs)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    clearTimeout(timer)
  }
}

/** Applies the server's list of drafts to the local ones. */
function followServer(): () => void {
  const listedIds = new Set<DraftId>()
  let isFirst = true
  return effect(() => {
    const listed = serverDrafts.value
    if (!listed) return
    const addsUnknown = (isLeading() || isFirst) && !isCreating.value
    batch(() => {
      const ids = new Set(listed.map(({ id }) => id))
      for (const id of ids) listedIds.add(id)
      for (const id of listedIds)
        if (!ids.has(id)) {
          listedIds.delete(id)
          noteMissingCopy(id)
        }
      // The newest draft of a conversation comes last, and replaces the others.
      const found = listed.toReversed().flatMap((draft) => {
        const kept = fromServer(draft)
        const known = findByCopy(draft.id)?.draft
        return kept && (known || addsUnknown) ? [keepTarget(kept, known)] : []
      })
      for (const draft of found) addDrafts(new Map([[targetKey(draft.target), draft]]))
    })
    isFirst = false
  })
}

/** Keeps a draft in the view of a stream where its topic is being typed. */
function keepTarget(draft: KeptDraft, known: KeptDraft | undefined): KeptDraft {
  const [to, from] = [draft.target, known?.target]
  if (to.type !== 'stream' || from?.type !== 'stream' || to.stream_id !== from.stream_id) return draft
  return from.topic === undefined ? { ...draft, target: from, topic: to.topic ?? '' } : draft
}

async function saveDrafts(): Promise<void> {
  for (const key of keptDrafts.peek().keys()) if (isLeading()) await saveDraft(key)
}

async function saveDraft(key: string): Promise<void> {
  const draft = keptDrafts.peek().get(key)
  if (!draft || !hasText(draft) || (isSaved(draft) && isListed(draft))) return
  const { server_id, changed_at } = draft
  try {
    if (server_id === undefined) return await create(key, draft)
    const options = { ...limitCall(), keepalive: isHidden }
    await client.drafts.edit({ draft_id: server_id, draft: toServer(draft) }, options)
    noteSaved(key, server_id, changed_at)
  } catch (error) {
    if (server_id !== undefined && isNotFound(error)) noteMissingCopy(server_id)
    // After other failures, the next change of a draft or of the connection saves it.
  }
}

/**
 * Whether the server's list contains the copy of a draft. A copy may have been removed before this page was
 * opened; saving the draft shows whether it exists.
 */
const isListed = ({ server_id }: KeptDraft): boolean =>
  serverDrafts.peek()?.some(({ id }) => id === server_id) ?? true

/** Creates a draft on the server. If it is sent or deleted meanwhile, the copy is removed again. */
async function create(key: string, draft: KeptDraft): Promise<void> {
  let isGone = false
  const stop = effect(() => {
    const current = keptDrafts.value.get(key)
    isGone ||= !current || !hasText(current) || current.server_id !== undefined
  })
  isCreating.value = true
  try {
    const { ids } = await repeatUntilAnswered((options) =>
      client.drafts.create({ drafts: [toServer(draft)] }, { ...options, keepalive: isHidden }),
    )
    stop()
    batch(() => {
      for (const id of ids)
        if (isGone) noteRemovedCopy(id)
        else noteSaved(key, id, draft.changed_at)
      isCreating.value = false
    })
  } finally {
    stop()
    isCreating.value = false
  }
}

async function removeCopies(): Promise<void> {
  for (const id of removedCopies.peek()) if (isLeading()) await removeCopy(id)
}

async function removeCopy(id: DraftId): Promise<void> {
  try {
    await client.drafts.remove({ draft_id: id }, limitCall())
    noteMissingCopy(id)
  } catch (error) {
    if (isNotFound(error)) noteMissingCopy(id)
    // After other failures, the next removal or change of the connection removes it.
  }
}

const isNotFound = (error: unknown): boolean => (error as { status?: number }).status === 404
