import type { Event, MessageId } from '@oxbow/contract'
import { client } from './client.ts'
import { makeChange } from './pending.ts'

/** Marks are sent this long after the last one, */
const quietMs = 1_500
/** but at most this long after the first one, */
const maxWaitMs = 5_000
/** or as soon as there are this many. */
const maxMarks = 500

let gathered: MessageId[] = []
let firstAt = 0
let timer: ReturnType<typeof setTimeout> | undefined
let outcome = Promise.withResolvers<void>()

/** Marks messages as read, optimistically; marks of several seconds are sent together. */
export function markRead(ids: readonly MessageId[]): void {
  if (ids.length === 0) return
  if (gathered.length === 0) firstAt = Date.now()
  gathered.push(...ids)
  const sent = outcome.promise
  makeChange([readEvent(ids)], () => sent).catch(() => {
    // The request failed, so the messages are shown as unread again.
  })
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
    .then(() => resolve(), reject)
}

// Pending events have no id of their own.
const readEvent = (messages: readonly MessageId[]): Event =>
  ({
    type: 'update_message_flags',
    operation: 'add',
    flag: 'read',
    messages: [...messages],
    all: false,
  }) as never

if (typeof addEventListener === 'function') addEventListener('pagehide', sendReadMarks)
