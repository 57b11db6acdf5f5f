import type { ScheduledMessageId } from '@oxbow/contract'
import { eventually, type World } from '@oxbow/testkit'
import { deliverDue } from '../delivery/deliver-due.ts'

/**
 * Makes scheduled messages due now, and waits until each is sent, or is refused and its sender
 * notified.
 */
export async function deliverNow(world: World, ids: readonly ScheduledMessageId[]): Promise<void> {
  await world.database.query(
    'update scheduled_message set deliver_at = now(), attempt_at = now() where id = any($1)',
    [ids],
  )
  await deliverDue(world.nodes.a.app)
  // Waits, because the other node may have claimed the sender.
  await eventually(
    async () =>
      (
        await world.database.query(
          // A message that somebody postponed meanwhile is not delivered now.
          `select from scheduled_message where id = any($1) and deliver_at <= now()
             and (failure is null or awaits_notice) limit 1`,
          [ids],
        )
      ).length === 0,
  )
}
