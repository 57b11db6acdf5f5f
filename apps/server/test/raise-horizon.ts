import type { World } from '@oxbow/testkit'
import { horizonOf } from '../src/messages/flags/horizon.ts'

/**
 * Tells both nodes that no message up to this one can still appear; without one, up to the newest id. They would find out
 * by themselves, but not while a transaction runs in any database of the cluster, and other tests have theirs there.
 */
export async function raiseHorizon({ database, nodes }: World, settled?: number): Promise<void> {
  const [now] = await database.query<{ newest: number; timeline: string }>(
    'select last_value as newest, left(pg_walfile_name(pg_current_wal_lsn()), 8) as timeline from message_id',
  )
  if (!now) throw new Error('a sequence always has a row')
  for (const { app } of Object.values(nodes))
    horizonOf(app).learn({ newest: settled ?? now.newest, xid: 1, xmin: 1, timeline: now.timeline })
}
