import type { World } from '@oxbow/testkit'
import type { Notices, QueuedNotice } from '../notices.ts'

/** Returns pending texts of the system bots, grouped by the call that caused them. */
export async function listPendingNotices(world: World): Promise<Notices[]> {
  const rows = await world.database.query<{ payload: Notices }>(
    `select payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier in ('send-notices', 'send-notices-of-bot') order by j.id`,
  )
  return rows.map(({ payload }) => payload)
}

/**
 * Runs `work` and returns the texts that it queued for the notification bot. No other call may run
 * meanwhile.
 */
export async function collectNotices(world: World, work: () => Promise<unknown>): Promise<QueuedNotice[]> {
  const list = async () => (await listPendingNotices(world)).filter(({ from }) => from !== 'welcome')
  const before = await list()
  await work()
  return (await list()).slice(before.length).flatMap(({ notices }) => notices)
}
