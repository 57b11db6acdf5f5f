import { emit } from '../../../events/emit.ts'
import type { App } from '../../../platform/app.ts'
import { afterCommit, inTransaction } from '../../../platform/database/transaction.ts'
import { scheduledMessageChanged } from '../events.ts'
import { type DueMessage, updateScheduledMessage } from '../queries.ts'
import { getDeliveryMetrics } from './metrics.ts'

export interface RefusedMessage {
  message: DueMessage
  reason: string
}

/**
 * Marks messages of one sender as failed; `notifyOfFailures` notifies the sender later. Messages
 * that were changed meanwhile are skipped.
 */
export async function markRefusedAsFailed(app: App, refused: readonly RefusedMessage[]): Promise<void> {
  if (refused.length === 0) return
  await inTransaction(app.db, async (tx) => {
    let count = 0
    for (const { message, reason } of refused) {
      const row = await updateScheduledMessage(tx, message, { failure: reason, awaits_notice: true })
      if (!row) continue
      emit(tx, scheduledMessageChanged(row))
      count++
    }
    afterCommit(tx, () => getDeliveryMetrics(app).refused.inc(count))
  })
}
