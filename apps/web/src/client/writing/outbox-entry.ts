import type { MessageId } from '@oxbow/contract'
import { type SendTarget, type Target, targetKey } from '../conversations/target.ts'
import { isTemporaryStatus } from '../wait-to-retry.ts'

/** A message that the user submitted and the server has not confirmed. */
export interface OutboxEntry {
  /** Identifies the entry; the event of the sent message returns it. */
  readonly local_id: string
  /** The idempotency key of all attempts, so that the message is sent only once. */
  readonly key: string
  readonly target: SendTarget
  readonly content: string
  /** The content as this client's renderer shows it. */
  readonly html: string
  /** Time of submission, in milliseconds. */
  readonly created_at: number
  readonly state: 'sending' | 'waiting' | 'failed'
  /** Number of attempts that failed for a temporary reason. */
  readonly attempts: number
  /** Why it failed, as a sentence for the user. */
  readonly reason?: string
  /** Name of the server's error. */
  readonly refusal?: string
  /** Id of the message once the server has stored it. The entry is shown until the message itself is. */
  readonly message_id?: MessageId
}

/** Idempotency keys are valid for a day, so an older message is not sent without confirmation. */
const maxAgeMs = 20 * 3_600_000

export const isTooOld = ({ created_at }: OutboxEntry, now: number): boolean => now - created_at > maxAgeMs

/** The outcome of a failed request, as far as retries depend on it. */
export interface Failure {
  /** HTTP status; undefined without a response. */
  status: number | undefined
  reason: string
  refusal?: string
}

/** Returns the entry after a failed attempt: to be retried, or permanently failed. */
export function afterFailure(entry: OutboxEntry, { status, reason, refusal }: Failure): OutboxEntry {
  // Without a session of its account, it can be sent once the user signs in again.
  if (isTemporaryStatus(status) || status === 401 || refusal === 'OTHER_ACCOUNT')
    return { ...entry, state: 'waiting', attempts: entry.attempts + 1 }
  return { ...entry, state: 'failed', reason, ...(refusal !== undefined && { refusal }) }
}

/**
 * Returns the entry for a retry by the user. Makes it a new message if its idempotency key may have
 * expired.
 */
export function retried(entry: OutboxEntry, now: number, key: string): OutboxEntry {
  const { reason: _reason, refusal: _refusal, ...kept } = entry
  return { ...kept, key, created_at: now, state: 'sending', attempts: 0 }
}

/**
 * Returns the entries to attempt now: the oldest entry of each conversation that has not failed, so
 * that messages arrive in the order in which they were written.
 */
export function listNext(
  entries: readonly OutboxEntry[],
  isBusy: (conversation: string) => boolean,
): OutboxEntry[] {
  const seen = new Set<string>()
  return entries.filter((entry) => {
    const conversation = targetKey(entry.target)
    if (!isToBeSent(entry) || seen.has(conversation)) return false
    seen.add(conversation)
    return !isBusy(conversation)
  })
}

const isToBeSent = ({ state, message_id }: OutboxEntry): boolean =>
  state !== 'failed' && message_id === undefined

/** Whether an entry is shown in the view of a target, which may be its whole stream. */
export function belongsTo(entry: OutboxEntry, target: Target): boolean {
  if (target.type === 'stream' && target.topic === undefined)
    return entry.target.type === 'stream' && entry.target.stream_id === target.stream_id
  return targetKey(entry.target) === targetKey(target)
}
