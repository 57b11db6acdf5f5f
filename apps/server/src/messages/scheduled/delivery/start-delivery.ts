import { setTimeout } from 'node:timers/promises'
import type { App } from '../../../platform/app.ts'
import { FailureLog } from '../../../platform/observe/log.ts'
import { readAgenda } from '../queries.ts'
import { deliverDue } from './deliver-due.ts'
import { getDeliveryMetrics } from './metrics.ts'
import { notifyOfFailures } from './notify-of-failures.ts'

/**
 * Maximum pause between two queries. A message that another node scheduled during the pause is late
 * by at most this time.
 */
const maxPauseMs = 1_000
/** Minimum pause between two queries, even if the next message is due sooner. */
const minPauseMs = 10
const pauseAfterFailureMs = 1_000
const maxSendersAtOnce = 4

export interface Delivery {
  stop(): Promise<void>
}

/**
 * Delivers scheduled messages on this node until stopped. PostgreSQL's clock decides which messages
 * are due. The node's clock only measures pauses, so messages are on time even if it is wrong or
 * changes.
 */
export function startScheduledDelivery(app: App): Delivery {
  const stopping = new AbortController()
  const stop = {
    get isStopping() {
      return stopping.signal.aborted
    },
  }
  const failures = new FailureLog(app.log, {
    failed: 'scheduled messages cannot be delivered right now and will be retried',
    recovered: 'scheduled messages are delivered again',
  })
  const noticeFailures = new FailureLog(app.log, {
    failed: 'senders of refused scheduled messages cannot be notified right now; this will be retried',
    recovered: 'senders of refused scheduled messages are notified again',
  })
  // Half of the connections stay free for requests.
  const lanes = Math.min(maxSendersAtOnce, Math.max(1, Math.floor(app.config.database_pool_size / 2 - 1)))

  getDeliveryMetrics(app)

  /** Delivers due messages concurrently. Returns whether this node delivered any. */
  const deliverInLanes = async (): Promise<boolean> => {
    const ended = await Promise.allSettled(Array.from({ length: lanes }, () => deliverDue(app, stop)))
    const failed = ended.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return ended.some((result) => result.status === 'fulfilled' && result.value)
  }

  /** Delivers due messages, and returns the milliseconds until the next query. */
  const deliverAndNotify = async (): Promise<number> => {
    const { isAnyDue, isAnyNoticeDue, msUntilNext } = await readAgenda(app.db)
    const hadWork = isAnyDue && (await deliverInLanes())
    if (isAnyNoticeDue)
      await notifyOfFailures(app).then(
        () => noticeFailures.succeeded(),
        (error: unknown) => noticeFailures.failed(error),
      )
    // More messages may have become due meanwhile. Messages claimed by other nodes can wait.
    if (hadWork) return minPauseMs
    return Math.min(Math.max(msUntilNext ?? maxPauseMs, minPauseMs), maxPauseMs)
  }

  const work = async () => {
    while (!stop.isStopping) {
      const pause = await deliverAndNotify().then(
        (milliseconds) => {
          failures.succeeded()
          return milliseconds
        },
        (error: unknown) => {
          failures.failed(error)
          return pauseAfterFailureMs
        },
      )
      await setTimeout(pause, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const done = work()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}
