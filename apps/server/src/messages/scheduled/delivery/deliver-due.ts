import { randomUUID } from 'node:crypto'
import { ApiError } from '@oxbow/contract'
import type { App } from '../../../platform/app.ts'
import { explainUnavailability } from '../../../platform/database/database-unavailable.ts'
import {
  claimSenders,
  type DueMessage,
  listDueMessages,
  postponeAttempt,
  releaseSenders,
  renewClaims,
  type SenderKey,
} from '../queries.ts'
import { deliverMessage } from './deliver-message.ts'
import { markRefusedAsFailed, type RefusedMessage } from './mark-refused-as-failed.ts'

/**
 * Number of due messages whose senders are claimed at once. It is small, so that other nodes get
 * work too.
 */
const maxMessagesToClaim = 20
/** Maximum number of messages of one sender that are delivered before the next sender's. */
const maxMessagesPerSender = 20
/** Time after which claims are renewed, well before they end. */
const renewAfterMs = 1_500
/**
 * Maximum number of attempts after unexpected errors, with pauses of 2, 4, 8, … seconds. After the
 * last attempt the message is refused.
 */
const maxAttempts = 8
/**
 * Maximum number of attempts if PostgreSQL is too slow or a lock is not released. They take about
 * half an hour.
 */
const maxDelayedAttempts = 20
const maxPauseSeconds = 128

export interface Stop {
  readonly isStopping: boolean
}

/** Delivers messages until no unclaimed message is due. Returns whether any were due. */
export async function deliverDue(app: App, stop: Stop = { isStopping: false }): Promise<boolean> {
  const claim = randomUUID()
  let hadWork = false
  for (;;) {
    const senders = stop.isStopping ? [] : await claimSenders(app.db, claim, maxMessagesToClaim)
    if (senders.length === 0) return hadWork
    hadWork = true
    await deliverClaimed(app, claim, senders, stop)
  }
}

/**
 * Delivers the due messages of these senders. An error of one sender does not affect the others.
 * Throws only if PostgreSQL is down.
 */
async function deliverClaimed(
  app: App,
  claim: string,
  senders: readonly SenderKey[],
  stop: Stop,
): Promise<void> {
  const keepClaims = makeRenewal(app, claim, senders)
  const toRelease = new Set(senders)
  try {
    for (const sender of senders) {
      try {
        await deliverDueOf(app, sender, stop, keepClaims)
      } catch (err) {
        if (isOutage(err)) throw err
        // The claim is left to expire within seconds, because a released sender would be claimed
        // again at once.
        toRelease.delete(sender)
        app.log.warn({ ...sender, err }, 'scheduled messages of an account failed and will be retried')
      }
    }
  } finally {
    await releaseSenders(app.db, claim, [...toRelease])
  }
}

const isOutage = (error: unknown): boolean => explainUnavailability(error)?.isOutage ?? false

function makeRenewal({ db }: App, claim: string, senders: readonly SenderKey[]): () => Promise<void> {
  let renewedAt = performance.now()
  return async () => {
    if (performance.now() - renewedAt < renewAfterMs) return
    renewedAt = performance.now()
    await renewClaims(db, claim, senders)
  }
}

async function deliverDueOf(
  app: App,
  sender: SenderKey,
  stop: Stop,
  keepClaims: () => Promise<void>,
): Promise<void> {
  const refused: RefusedMessage[] = []
  for (const message of await listDueMessages(app.db, sender, maxMessagesPerSender)) {
    if (stop.isStopping) break
    await keepClaims()
    const error = await attempt(app, message)
    if (error) refused.push({ message, reason: error.message })
  }
  await markRefusedAsFailed(app, refused)
}

/**
 * Tries to deliver a message. Returns the error if the message is refused. Postpones the message
 * after an unexpected error, or if PostgreSQL delayed only this message. Throws if PostgreSQL is
 * down.
 */
async function attempt(app: App, message: DueMessage): Promise<ApiError | undefined> {
  try {
    return await deliverMessage(app, message)
  } catch (err) {
    const unavailability = explainUnavailability(err)
    if (unavailability?.isOutage) throw err
    const { organization_id, id, attempts } = message
    const isLast = attempts + 1 >= (unavailability ? maxDelayedAttempts : maxAttempts)
    const text = isLast
      ? 'a scheduled message failed and is given up'
      : 'a scheduled message failed and will be retried'
    app.log[isLast ? 'error' : 'warn'](
      { organization_id, scheduled_message_id: id, attempt: attempts + 1, err },
      text,
    )
    if (isLast) return new ApiError('INTERNAL_ERROR')
    await postponeAttempt(app.db, message, Math.min(2 ** (attempts + 1), maxPauseSeconds))
    return undefined
  }
}
