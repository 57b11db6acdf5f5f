import type { MessageId } from '@oxbow/contract'
import { computed, effect, signal } from '@preact/signals'
import { readRefusal } from '../../text/refusal.ts'
import { t } from '../../text/t.ts'
import { connection, hasEnded } from '../connection.ts'
import { type SendTarget, type Target, targetKey } from '../conversations/target.ts'
import { onTabMessage, postToTabs } from '../device/channel.ts'
import { isKept, readDevice, readRecord, writeDevice } from '../device/device.ts'
import { takeDraftChanges } from '../device/keep-drafts.ts'
import { withLock } from '../device/locks.ts'
import { onFollowed } from '../events.ts'
import { randomId } from '../random-id.ts'
import { accountState } from '../store.ts'
import { waitToRetry } from '../wait-to-retry.ts'
import { afterFailure, belongsTo, isTooOld, listNext, type OutboxEntry, retried } from './outbox-entry.ts'
import { renderEcho } from './render.ts'
import { sendEntry } from './send-entry.ts'
import { noteRowKey, noteSentText } from './sent-messages.ts'
import { waitForEcho } from './wait-for-echo.ts'

export type { OutboxEntry } from './outbox-entry.ts'
export { rowKeyOf } from './sent-messages.ts'

declare module '../device/channel.ts' {
  interface TabMessages {
    /** An entry that a tab has added or changed, or the local id of a removed one. */
    outbox: OutboxEntry | string
  }
}

const entries = signal<readonly OutboxEntry[]>([])

/** All unsent messages, oldest first. */
export const unsent = computed(() => entries.value)

/** Returns the unsent messages of a view, oldest first. */
export const unsentOf = (target: Target): readonly OutboxEntry[] =>
  entries.value.filter((entry) => belongsTo(entry, target))

/** Conversations with a request in flight or a wait before the next attempt. */
const busy = new Set<string>()
/** Maps the local id of each entry of this tab to whether it was stored on the device. */
const writes = new Map<string, Promise<boolean>>()

/** Follows events and the connection, and sends unsent messages, also those left by an earlier page. */
export async function startOutbox(): Promise<void> {
  onFollowed((followed) => {
    // A state follows lost events. The windows, fetched again, include the stored messages.
    if (followed.kind === 'state')
      for (const { local_id, message_id } of entries.peek()) if (message_id !== undefined) remove(local_id)
    if (followed.kind !== 'event' || followed.event.type !== 'message') return
    const { local_message_id, message } = followed.event
    const isIt = (entry: OutboxEntry) =>
      entry.local_id === local_message_id || entry.message_id === message.id
    for (const { local_id, content } of entries.peek().filter(isIt)) {
      noteRowKey(message.id, local_id)
      noteSentText(message.id, content)
      remove(local_id)
    }
  })
  onTabMessage('outbox', takeOver)
  // Messages that are neither sent nor stored would be lost when the page is closed.
  addEventListener('beforeunload', (event) => {
    if (!isKept.peek() && entries.peek().some(({ state }) => state !== 'failed')) event.preventDefault()
  })
  effect(() => {
    if (connection.value.status === 'live') sendWaiting()
  })
  const kept = await readDevice(['outbox'])
  for (const entry of (kept?.outbox.values() ?? []) as Iterable<OutboxEntry>) {
    writes.set(entry.local_id, Promise.resolve(true))
    put(entry)
    if (entry.message_id !== undefined) removeSoon(entry.local_id, entry.message_id)
  }
  if (connection.peek().status === 'live') sendWaiting()
}

/**
 * Shows a message at once, stores it on the device, and sends it after the earlier ones of its
 * conversation.
 */
export function enqueue(target: SendTarget, content: string): void {
  const entry: OutboxEntry = {
    local_id: randomId(),
    key: randomId(),
    target,
    content,
    html: renderEcho(content),
    created_at: Date.now(),
    state: 'sending',
    attempts: 0,
  }
  put(entry)
  // Deletes the draft in the same transaction, so that the text is stored exactly once.
  writes.set(
    entry.local_id,
    Promise.resolve().then(() => write(entry)),
  )
  sendWaiting()
}

function write(entry: OutboxEntry): Promise<boolean> {
  postToTabs('outbox', entry)
  const change = { store: 'outbox' as const, key: entry.local_id, value: entry }
  return writeDevice([change, ...takeDraftChanges()], { isStrict: true })
}

/** Retries a message that was refused or has become too old. */
export function sendAgain(local_id: string): void {
  void change(local_id, (entry) => retried(entry, Date.now(), randomId()))
  sendWaiting()
}

/** Removes an unsent message and returns it, for the composer. */
export function discard(local_id: string): OutboxEntry | undefined {
  const entry = find(local_id)
  remove(local_id)
  return entry
}

/** Applies a change of another tab. If that tab is closed before it sends, this tab sends the message. */
function takeOver(message: OutboxEntry | string): void {
  if (typeof message === 'string')
    entries.value = entries.value.filter(({ local_id }) => local_id !== message)
  else {
    writes.set(message.local_id, Promise.resolve(true))
    put(message)
    sendWaiting()
  }
}

function sendWaiting(): void {
  if (hasEnded.peek()) return
  for (const { target } of listNext(entries.peek(), (conversation) => busy.has(conversation)))
    void sendConversation(targetKey(target))
}

/** Sends the messages of a conversation in order. While one tab sends, others wait for its lock. */
async function sendConversation(conversation: string): Promise<void> {
  busy.add(conversation)
  const next = () => listNext(entries.peek(), (key) => key !== conversation)[0]
  for (;;) {
    const failure = await withLock(`outbox/${conversation}`, async () => {
      const entry = next()
      return entry && (await sendOnce(entry))
    })
    if (failure) await waitToRetry(failure.attempts, failure.error)
    else if (!next()) break
  }
  busy.delete(conversation)
}

/** Makes one attempt. Returns its error, and the number of attempts, if it must be retried later. */
async function sendOnce(entry: OutboxEntry): Promise<{ attempts: number; error: unknown } | undefined> {
  const { local_id } = entry
  if (isTooOld(entry, Date.now())) {
    void change(local_id, (old) => ({ ...old, state: 'failed', reason: t('outbox.too_old') }))
    return undefined
  }
  if (await isDoneElsewhere(local_id)) return undefined
  show(local_id, (waiting) => ({ ...waiting, state: 'sending' }))
  try {
    const { id } = await sendEntry(entry, accountState.peek()?.queue_id)
    await noteStored(local_id, id)
  } catch (error) {
    const { status, reason, name } = readRefusal(error)
    const failure = { status, reason, ...(name !== undefined && { refusal: name }) }
    const failed = find(local_id)
    if (failed && afterFailure(failed, failure).state === 'failed')
      void change(local_id, (current) => afterFailure(current, failure))
    else show(local_id, (current) => afterFailure(current, failure))
    const tried = find(local_id)
    if (tried?.state === 'waiting') return { attempts: tried.attempts, error }
  }
  return undefined
}

/** Whether another tab sent or discarded the entry while this one waited for the lock. */
async function isDoneElsewhere(local_id: string): Promise<boolean> {
  const isWritten = await writes.get(local_id)
  if (!isWritten) return !find(local_id)
  try {
    const kept = (await readRecord('outbox', local_id)) as OutboxEntry | undefined
    if (kept && kept.message_id === undefined) return false
    if (kept) put(kept)
    else takeOver(local_id)
    return true
  } catch {
    return !find(local_id)
  }
}

/**
 * Records that the server stored the message. The row stays until the event brings the message, so
 * that nothing flickers.
 */
async function noteStored(local_id: string, message_id: MessageId): Promise<void> {
  if (!find(local_id)) return
  removeSoon(local_id, message_id)
  await change(local_id, (entry) => ({ ...entry, message_id }))
}

function removeSoon(local_id: string, message_id: MessageId): void {
  void waitForEcho(message_id, () => find(local_id)?.target).then(() => remove(local_id))
}

const find = (local_id: string): OutboxEntry | undefined =>
  entries.peek().find((entry) => entry.local_id === local_id)

/** Adds an entry, or replaces it by its local id. */
function put(entry: OutboxEntry): void {
  const others = entries.peek().filter(({ local_id }) => local_id !== entry.local_id)
  entries.value = [...others, entry].sort((one, other) => one.created_at - other.created_at)
}

/** Changes an entry in this tab only. */
function show(local_id: string, apply: (entry: OutboxEntry) => OutboxEntry): void {
  entries.value = entries.value.map((entry) => (entry.local_id === local_id ? apply(entry) : entry))
}

/** Changes an entry in all tabs and on the device. */
async function change(local_id: string, apply: (entry: OutboxEntry) => OutboxEntry): Promise<void> {
  show(local_id, apply)
  const changed = find(local_id)
  if (changed) await write(changed)
}

function remove(local_id: string): void {
  if (!find(local_id)) return
  takeOver(local_id)
  writes.delete(local_id)
  // Runs after the current task, so that a text that returns to its draft is written in the same
  // transaction that removes the entry.
  queueMicrotask(async () => {
    await writeDevice([{ store: 'outbox', key: local_id }, ...takeDraftChanges()])
    // If this tab is closed first, another tab still has the entry and removes it.
    postToTabs('outbox', local_id)
  })
}
