import type { World } from '@oxbow/testkit'
import type { Notice, Notices } from '../src/streams/notices.ts'

/** What was left for the notification bot to say, call by call. */
export async function listNoticesLeft(world: World): Promise<Notices[]> {
  const rows = await world.database.query<{ payload: Notices }>(
    `select payload from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'send-notices' order by j.id`,
  )
  return rows.map(({ payload }) => payload)
}

/** What this call, and nothing else meanwhile, left to say. */
export async function noticesLeftBy(world: World, work: () => Promise<unknown>): Promise<Notice[]> {
  const before = await listNoticesLeft(world)
  await work()
  return (await listNoticesLeft(world)).slice(before.length).flatMap(({ notices }) => notices)
}
