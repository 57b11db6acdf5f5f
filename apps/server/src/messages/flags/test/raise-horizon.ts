import type { World } from '@oxbow/testkit'
import { getHorizon } from '../horizon.ts'

/**
 * Sets the horizon of both nodes: no message up to this id, by default the newest, can still
 * appear. Nodes find the horizon without help, but not while a transaction runs in any database of
 * the cluster, and other tests have transactions there. The timeline comes from the function that
 * the nodes call, because a node drops the horizon when the timeline changes.
 */
export async function raiseHorizon({ database, nodes }: World, settled?: number): Promise<void> {
  const [now] = await database.query<{ newest: number; timeline: string }>(
    'select newest, timeline from hold_read_state(0, 0)',
  )
  if (!now) throw new Error('hold_read_state always returns a row')
  for (const { app } of Object.values(nodes))
    getHorizon(app).observe({ newest: settled ?? now.newest, xid: 1, xmin: 1, timeline: now.timeline })
}
