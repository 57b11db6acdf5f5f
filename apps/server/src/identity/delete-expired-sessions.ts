import { inTransaction } from '../platform/database/transaction.ts'
import { job } from '../platform/jobs/jobs.ts'
import { deleteExpiredSessions } from './session-queries.ts'
import { emitSessionsEnded } from './sessions.ts'

/** Batch size per transaction. */
const maxDeleted = 500

/**
 * Deletes expired sessions, which ends their event streams. Requests with expired sessions are
 * refused even before that.
 */
export const deleteExpiredSessionsJob = job<unknown>({
  name: 'delete_expired_sessions',
  schedule: '* * * * *',
  async run({ db }) {
    for (;;) {
      const owners = await inTransaction(db, async (tx) => {
        const deleted = await deleteExpiredSessions(tx, maxDeleted)
        for (const owner of new Map(deleted.map((session) => [session.user_id, session])).values())
          emitSessionsEnded(tx, owner)
        return deleted
      })
      if (owners.length < maxDeleted) return
    }
  },
})
