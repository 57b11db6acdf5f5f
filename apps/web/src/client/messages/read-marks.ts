import type { MessageId } from '@oxbow/contract'
import { client } from '../client.ts'
import { limitCall, type PendingChange, type PendingEvent, showPending } from '../pending.ts'
import { isTemporary, waitToRetry } from '../wait-to-retry.ts'

/** Marks are sent this long after the last one was made. */
const quietMs = 1_500
/** Marks are sent at most this long after the first one was made. */
const maxWaitMs = 5_000
/** Marks are sent at once when there are this many. */
const maxMarks = 500

/** Marks that are sent in one request. */
interface Batch {
  readonly ids: MessageId[]
  /** The pending changes that show the marks, oldest first. */
  readonly changes: PendingChange[]
  /** The ids of the newest of these changes. */
  shownIds: readonly MessageId[]
  /** Resolves when the server has accepted or refused the marks. */
  readonly decided: PromiseWithResolvers<void>
}

/** The marks that are not sent yet. */
let gathered: Batch | undefined
let firstAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
/** Resolves when the server has accepted or refused all marks that were sent. */
let sending: Promise<unknown> = Promise.resolve()
/** Number of requests that failed since the last success. */
let failures = 0
/** Whether marks wait because a request failed. */
let isWaiting = false

/** Marks messages as read optimistically. Marks of several seconds are sent in one request. */
export function markRead(ids: readonly MessageId[]): void {
  if (ids.length === 0) return
  if (!gathered) {
    firstAt = Date.now()
    gathered = { ids: [], changes: [], shownIds: [], decided: Promise.withResolvers() }
  }
  gathered.ids.push(...ids)
  show(gathered, ids)
  if (isWaiting) return
  clearTimeout(timer)
  const waitMs = Math.min(quietMs, firstAt + maxWaitMs - Date.now())
  if (gathered.ids.length >= maxMarks || waitMs <= 0) sendReadMarks()
  else timer = setTimeout(sendReadMarks, waitMs)
}

/**
 * Shows marks in the newest pending change of their batch, because every pending change is applied
 * again with each event. After a later change, for example back to unread, they need a new one.
 */
function show(batch: Batch, ids: readonly MessageId[]): void {
  const shownIds = [...batch.shownIds, ...ids]
  if (batch.changes.at(-1)?.replace([readEvent(shownIds)])) batch.shownIds = shownIds
  else {
    batch.changes.push(showPending([readEvent(ids)]))
    batch.shownIds = ids
  }
}

/**
 * Sends the collected marks, unless a failed request is to be retried later. Returns when the server
 * has accepted or refused all marks that were made before the call.
 */
export async function flushReadMarks(): Promise<void> {
  const last = gathered
  if (!isWaiting) sendReadMarks()
  await Promise.all([sending, last?.decided.promise])
}

/** Asks the server to mark messages as unread, after all marks that would make them read again. */
export async function requestUnread(messages: MessageId[]): Promise<unknown> {
  await flushReadMarks()
  return client.messages.changeFlags({ messages, op: 'remove', flag: 'read' }, limitCall())
}

/** Sends the collected marks at once. */
export function sendReadMarks(): void {
  clearTimeout(timer)
  if (!gathered) return
  const batch = gathered
  gathered = undefined
  sending = Promise.all([sending, batch.decided.promise]).then(() => {})
  void send(batch)
}

async function send(batch: Batch): Promise<void> {
  const { ids, changes, decided } = batch
  try {
    await client.messages.changeFlags(
      { messages: ids, op: 'add', flag: 'read' },
      { ...limitCall(), keepalive: ids.length < maxMarks * 2 },
    )
    failures = 0
    for (const change of changes) change.confirm()
  } catch (error) {
    if (isTemporary(error)) {
      gatherAgain(batch)
      return sendLater(error)
    }
    // The server refused the marks, so the messages are shown as unread again.
    for (const change of changes) change.revert()
  }
  decided.resolve()
}

/** Puts the marks of a failed request before those that were made since then. */
function gatherAgain(batch: Batch): void {
  const later = gathered
  gathered = batch
  if (!later) return
  batch.ids.push(...later.ids)
  batch.changes.push(...later.changes)
  batch.shownIds = later.shownIds
  void batch.decided.promise.then(later.decided.resolve)
}

/** Sends the marks that are collected until the server is back. */
async function sendLater(error: unknown): Promise<void> {
  if (isWaiting) return
  isWaiting = true
  clearTimeout(timer)
  await waitToRetry(++failures, error)
  isWaiting = false
  sendReadMarks()
}

// Pending events have no id.
const readEvent = (messages: readonly MessageId[]): PendingEvent => ({
  type: 'update_message_flags',
  operation: 'add',
  flag: 'read',
  messages: [...messages],
  all: false,
})

if (typeof addEventListener === 'function') addEventListener('pagehide', sendReadMarks)
