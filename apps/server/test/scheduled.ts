import type { ScheduledMessage, ScheduledMessageId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'
import { eventually, type World } from '@oxbow/testkit'
import { deliverDue } from '../src/messages/scheduled/delivery/deliver-due.ts'

/** A time far enough in the future that no test lasts until then, in seconds. */
export const nextWeek = (): number => Math.floor(Date.now() / 1_000) + 7 * 86_400

export interface MessageToSchedule {
  type?: string
  to: string | number | number[]
  topic?: string
  content?: string
  at?: number
}

/** Schedules a message, by default for next week, and returns its id. */
export async function schedule(
  person: Client,
  { type, to, topic = 'roses', content = 'Pruned.', at = nextWeek() }: MessageToSchedule,
): Promise<ScheduledMessageId> {
  const { scheduled_message_id } = await person.scheduledMessages.create({
    type: type ?? (Array.isArray(to) ? 'private' : 'stream'),
    to,
    topic,
    content,
    scheduled_delivery_timestamp: at,
  })
  return scheduled_message_id
}

export async function listScheduled(person: Client): Promise<ScheduledMessage[]> {
  return (await person.scheduledMessages.list()).scheduled_messages
}

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
