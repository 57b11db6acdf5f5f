import type { PresenceReport, UserId } from '@oxbow/contract'
import type { EventShape } from '../../events/event-shape.ts'

/** A record with all changes of presence that were written together. */
export type PresenceChanges = {
  type: 'presence'
  server_timestamp: number
  news: readonly { user_id: UserId; email: string; report: PresenceReport }[]
}

export const presenceEventShape: EventShape<PresenceChanges> = {
  type: 'presence',
  variant: ({ slim_presence }) => (slim_presence ? 'slim' : ''),
  render({ type, server_timestamp, news }, variant) {
    return news.map(({ user_id, email, report }) => ({
      type,
      user_id,
      ...(variant !== 'slim' && { email }),
      server_timestamp,
      presence: { [report.client]: report },
    }))
  },
}
