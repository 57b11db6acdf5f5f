import type { App } from '../platform/app.ts'
import { BatchWriter } from '../platform/batch-writer.ts'
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.ts'
import { FailureLog } from '../platform/observe/log.ts'
import { perNode } from '../platform/per-node.ts'
import type { AccountSession } from './queries.ts'
import { type SessionUse, updateLastUse } from './session-queries.ts'

/** Minimum time between two writes of the last use of a session, per node. */
const useIntervalMs = 10 * 60_000
/** Time for which uses are buffered, so that one statement writes the uses of several sessions. */
const flushIntervalMs = 1_000
/** Maximum number of uses that a node buffers while PostgreSQL is unavailable. */
const maxBufferedUses = 50_000

const getWriter = perNode({
  name: 'session use writer',
  create: makeWriter,
  close: (writer) => writer.finish(),
})

/**
 * Records the use of a session, unless a use was recorded less than ten minutes ago. The request
 * does not wait for the write.
 */
export function recordUse(app: App, session: AccountSession, address: string): void {
  const now = Date.now()
  if (now - session.last_seen_at.getTime() < useIntervalMs) return
  session.last_seen_at = new Date(now)
  const { organization_id, credential } = session
  void getWriter(app).add({ organization_id, id: credential.id, address })
}

function makeWriter(app: App): BatchWriter<SessionUse> {
  const failures = new FailureLog(app.log, {
    failed: 'the last use of sessions could not be written',
    recovered: 'the last use of sessions is written again',
  })
  return new BatchWriter<SessionUse>({
    intervalMs: flushIntervalMs,
    maxItems: maxBufferedUses,
    keyOf: ({ organization_id, id }) => `${organization_id} ${id}`,
    merge: (_earlier, later) => later,
    write: (uses) => updateLastUse(app.db, uses),
    isTemporary: isDatabaseUnavailable,
    onFailed: (error, lost) => failures.failed(error, { lost }),
    onWritten: () => failures.succeeded(),
  })
}
