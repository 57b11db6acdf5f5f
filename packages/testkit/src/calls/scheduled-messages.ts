import type { ScheduledMessage, ScheduledMessageId } from '@oxbow/contract'
import type { Client } from '@oxbow/sdk'

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
