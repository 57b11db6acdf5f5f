import type { World } from '@oxbow/testkit'
import { getHorizon } from '../src/messages/flags/horizon.ts'

/**
 * Tells both nodes that no message up to this one can still appear; without one, up to the newest id. They would find out
 * by themselves, but not while a transaction runs in any database of the cluster, and other tests have theirs there.
 * The timeline is taken from the function that the nodes call: a node forgets the horizon when it meets another one.
 */
export async function raiseHorizon({ database, nodes }: World, settled?: number): Promise<void> {
  const [now] = await database.query<{ newest: number; timeline: string }>(
    'select newest, timeline from hold_read_state(0, 0)',
  )
  if (!now) throw new Error('hold_read_state always returns a row')
  for (const { app } of Object.values(nodes))
    getHorizon(app).observe({ newest: settled ?? now.newest, xid: 1, xmin: 1, timeline: now.timeline })
}
