import type { Event, MessageId } from '@oxbow/contract'
import { client } from './client.ts'
import { applyOptimistically } from './pending.ts'
import { isTemporary, waitToRetry } from './wait-to-retry.ts'

/** Marks are sent this long after the last one was made. */
const quietMs = 1_500
/** Marks are sent at most this long after the first one was made. */
const maxWaitMs = 5_000
/** Marks are sent at once when there are this many. */
const maxMarks = 500

let gathered: MessageId[] = []
let firstAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let outcome = Promise.withResolvers<void>()
/** Number of requests that failed since the last success. */
let failures = 0
let isWaiting = false

/** Marks messages as read optimistically. Marks of several seconds are sent in one request. */
export function markRead(ids: readonly MessageId[]): void {
  if (ids.length === 0) return
  if (gathered.length === 0) firstAt = Date.now()
  gathered.push(...ids)
  const sent = outcome.promise
  applyOptimistically([readEvent(ids)], () => sent).catch(() => {
    // The server refused it, so the messages are shown as unread again.
  })
  if (isWaiting) return
  clearTimeout(timer)
  const waitMs = Math.min(quietMs, firstAt + maxWaitMs - Date.now())
  if (gathered.length >= maxMarks || waitMs <= 0) sendReadMarks()
  else timer = setTimeout(sendReadMarks, waitMs)
}

/** Sends the collected marks, for example when the view or the page is left. */
export function sendReadMarks(): void {
  clearTimeout(timer)
  if (gathered.length === 0) return
  const { resolve, reject } = outcome
  const messages = gathered
  gathered = []
  outcome = Promise.withResolvers()
  outcome.promise.catch(() => {})
  client.messages
    .changeFlags({ messages, op: 'add', flag: 'read' }, { keepalive: messages.length < maxMarks * 2 })
    .then(
      () => {
        failures = 0
        resolve()
      },
      (error: unknown) => {
        if (!isTemporary(error)) return reject(error)
        gathered = [...messages, ...gathered]
        outcome.promise.then(resolve, reject)
        void sendLater(error)
      },
    )
}

/** Sends the marks that are collected until the server is back. */
async function sendLater(error: unknown): Promise<void> {
  if (isWaiting) return
  isWaiting = true
  await waitToRetry(++failures, error)
  isWaiting = false
  sendReadMarks()
}

// Pending events have no id.
const readEvent = (messages: readonly MessageId[]): Event =>
  ({
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    messages: [...messages],
    all: false,
  }) as never

if (typeof addEventListener === 'function') addEventListener('pagehide', sendReadMarks)
