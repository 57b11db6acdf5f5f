import { computed, effect, signal } from '@preact/signals'
import { readRefusal } from '../text/refusal.ts'
import { renderEcho } from '../text/render.ts'
import { t } from '../text/t.ts'
import { client } from './client.ts'
import { onFollowed } from './events.ts'
import { connection } from './follow.ts'
import {
  afterFailure,
  belongsTo,
  isTooOld,
  listNext,
  type OutboxEntry,
  retried,
  retryDelayMs,
  type SendTarget,
} from './outbox-entry.ts'
import { randomId } from './random-id.ts'
import { base } from './store.ts'
import type { Target } from './target.ts'
import { targetKey } from './target-key.ts'

export type { OutboxEntry } from './outbox-entry.ts'

const entries = signal<readonly OutboxEntry[]>([])

/** All messages that are not sent yet, oldest first. */
export const unsent = computed(() => entries.value)

/** The messages that are not sent yet in a view, oldest first. */
export const unsentOf = (target: Target): readonly OutboxEntry[] =>
  entries.value.filter((entry) => belongsTo(entry, target))

/** After this time a stored message is in the list, or its events were lost. */
const maxEventDelayMs = 5_000

/** Local ids of messages that the server has stored, by id, until their event arrives. */
const stored = new Map<number, string>()
/** Conversations with a request under way or a wait before the next one. */
const busy = new Set<string>()

/** Follows events and the connection, and sends what waits. */
export function startOutbox(): void {
  onFollowed((followed) => {
    // After lost events the windows are fetched anew, with the messages that were stored.
    if (followed.kind === 'state') for (const local_id of stored.values()) remove(local_id)
    if (followed.kind !== 'event' || followed.event.type !== 'message') return
    const { local_message_id, message } = followed.event
    const local_id = local_message_id ?? stored.get(message.id)
    stored.delete(message.id)
    if (local_id !== undefined) remove(local_id)
  })
  // What is not sent yet would be lost with the page.
  addEventListener('beforeunload', (event) => {
    if (entries.peek().some(({ state }) => state !== 'failed')) event.preventDefault()
  })
  effect(() => {
    if (connection.value.status === 'live') sendWaiting()
  })
}

/** Shows a message at once and sends it, after those before it in the conversation. */
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
  entries.value = [...entries.value, entry]
  sendWaiting()
}

/** Sends a message again that was refused or is too old. */
export function sendAgain(local_id: string): void {
  change(local_id, (entry) => retried(entry, Date.now(), randomId()))
  sendWaiting()
}

/** Forgets a message that was not sent. Returns it, for the composer. */
export function discard(local_id: string): OutboxEntry | undefined {
  const entry = entries.peek().find((each) => each.local_id === local_id)
  remove(local_id)
  return entry
}

function sendWaiting(): void {
  for (const entry of listNext(entries.peek(), (conversation) => busy.has(conversation))) void send(entry)
}

async function send(entry: OutboxEntry): Promise<void> {
  const { local_id, target, content } = entry
  const conversation = targetKey(target)
  if (isTooOld(entry, Date.now())) {
    change(local_id, (old) => ({ ...old, state: 'failed', reason: t('outbox.too_old') }))
    return
  }
  const queue_id = base.peek()?.queue_id
  busy.add(conversation)
  change(local_id, (waiting) => ({ ...waiting, state: 'sending' }))
  try {
    const { id } = await client.messages.send(
      {
        type: target.type,
        to: target.type === 'stream' ? target.stream_id : [...target.user_ids],
        ...(target.type === 'stream' && { topic: target.topic }),
        content,
        local_id,
        ...(queue_id !== undefined && { queue_id }),
      },
      { idempotencyKey: entry.key },
    )
    noteStored(local_id, id)
    busy.delete(conversation)
  } catch (error) {
    const { status, reason, name } = readRefusal(error)
    change(local_id, (failed) =>
      afterFailure(failed, { status, reason, ...(name !== undefined && { refusal: name }) }),
    )
    await waitToRetry(local_id)
    busy.delete(conversation)
  }
  sendWaiting()
}

/** A reason that passes ends with time, or with the network's return. */
async function waitToRetry(local_id: string): Promise<void> {
  const entry = entries.peek().find((each) => each.local_id === local_id)
  if (entry?.state !== 'waiting') return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, retryDelayMs(entry))
  addEventListener('online', () => resolve(), { once: true })
  await promise
  clearTimeout(timer)
}

/** The row stays until the event brings the message, so that nothing blinks. */
function noteStored(local_id: string, id: number): void {
  if (!entries.peek().some((entry) => entry.local_id === local_id)) return
  // The event was in the past if an earlier attempt had stored the message.
  const isPast = id <= (base.peek()?.max_message_id ?? 0)
  if (!isPast) stored.set(id, local_id)
  setTimeout(() => remove(local_id), isPast ? 0 : maxEventDelayMs)
}

function change(local_id: string, apply: (entry: OutboxEntry) => OutboxEntry): void {
  entries.value = entries.value.map((entry) => (entry.local_id === local_id ? apply(entry) : entry))
}

function remove(local_id: string): void {
  entries.value = entries.value.filter((entry) => entry.local_id !== local_id)
}
