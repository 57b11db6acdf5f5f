import type { TestContext } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Draft } from '@oxbow/contract'
import { type CallOptions, TransportError } from '@oxbow/sdk/browser'
import { client } from '../src/client/client.ts'
import { connection } from '../src/client/connection.ts'
import type { Target } from '../src/client/conversations/target.ts'
import { randomId } from '../src/client/random-id.ts'
import { accountState } from '../src/client/store.ts'
import { changeDraft, dropDraft, keptDrafts, listDrafts } from '../src/client/writing/drafts.ts'
import { startServerDrafts } from '../src/client/writing/server-drafts.ts'
import { useFakeTimers } from './fake-timers.ts'
import { draftId, streamId } from './ids.ts'

export const stream: Target = { type: 'stream', stream_id: streamId(12) }
export const roses: Target = { type: 'stream', stream_id: streamId(12), topic: 'roses' }
const debounceMs = 5_000

/**
 * Ids differ between tests, also from those of other files in the process, because the client remembers the
 * ids of removed copies.
 */
let lastId = 1_000

/** Replaces the clock and the server, and synchronizes drafts with it until the test ends. */
export function startDraftServer(t: TestContext) {
  const tick = useFakeTimers(t)
  const window = new EventTarget()
  const methods = ['addEventListener', 'removeEventListener'] as const
  for (const method of methods) Object.assign(globalThis, { [method]: window[method].bind(window) })
  const copies = new Map<number, Draft>()
  /** Resolves the next request to create a draft, if it is held back. */
  let held: Promise<void> | undefined
  /** Ids that were returned for idempotency keys. */
  const answered = new Map<string, number[]>()
  let losesResponses = false
  const refuseMissing = (id: number) => {
    if (!copies.has(id)) throw Object.assign(new Error('No such draft'), { status: 404 })
  }
  const store = (id: number, draft: object) => copies.set(id, { ...draft, id } as Draft)
  const create = async (
    { drafts }: { drafts: object[] },
    { idempotencyKey = randomId() }: CallOptions = {},
  ) => {
    const ids =
      answered.get(idempotencyKey) ??
      drafts.map((draft) => {
        store(++lastId, draft)
        return lastId
      })
    answered.set(idempotencyKey, ids)
    await held
    if (losesResponses) throw new TransportError('The connection broke')
    return { ids }
  }
  t.mock.method(client.drafts, 'create', create)
  t.mock.method(client.drafts, 'edit', async ({ draft_id, draft }: { draft_id: number; draft: object }) => {
    refuseMissing(draft_id)
    store(draft_id, draft)
  })
  t.mock.method(client.drafts, 'remove', async ({ draft_id }: { draft_id: number }) => {
    refuseMissing(draft_id)
    copies.delete(draft_id)
  })
  /** Delivers the events of all changes so far, and waits for the requests that this causes. */
  const deliver = async () => {
    accountState.value = { drafts: [...copies.values()] } as never
    await settle()
  }
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await setImmediate()
  }
  for (const key of keptDrafts.peek().keys()) dropDraft(key)
  accountState.value = { drafts: [] } as never
  connection.value = { status: 'live' }
  const stop = startServerDrafts()
  t.after(async () => {
    for (const key of keptDrafts.peek().keys()) dropDraft(key)
    await settle()
    stop()
    for (const method of methods) Reflect.deleteProperty(globalThis, method)
    accountState.value = undefined
    connection.value = { status: 'starting' }
  })
  return {
    copies,
    /** The id of the copy that was created last. */
    get lastId() {
      return lastId
    },
    /** Returns the id of a copy that another device creates. */
    nextId: () => draftId(++lastId),
    tick,
    deliver,
    /** Advances the clock until unsaved drafts are saved. */
    async pause() {
      tick(debounceMs)
      await settle()
    },
    /** Holds back the responses to requests that create drafts, until the returned function is called. */
    holdResponses() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return async () => {
        held = undefined
        resolve()
        await settle()
      }
    },
    /** Breaks the connection after requests that create drafts, until the returned function is called. */
    loseResponses() {
      losesResponses = true
      return () => {
        losesResponses = false
      }
    },
    /** Changes a draft on another device, and delivers the event. */
    async changeElsewhere(id: number, change: Partial<Draft>) {
      store(id, { ...copies.get(id), timestamp: Math.ceil(Date.now() / 1000) + 1, ...change })
      await deliver()
    },
    texts: () => [...copies.values()].map(({ content }) => content),
  }
}

export const write = (target: Target, content: string) => changeDraft(target, { content })
export const send = (target: Target) => changeDraft(target, { content: '' })
export const listTexts = () => listDrafts.value.map(({ content }) => content)
