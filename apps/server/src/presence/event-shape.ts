import type { PresenceReport, UserId } from '@oxbow/contract'
import type { EventShape } from '../events/event-shape.ts'

/** One record contains all presence news of the same moment. */
export interface PresenceNews {
  type: 'presence'
  server_timestamp: number
  news: readonly { user_id: UserId; email: string; report: PresenceReport }[]
}

export const presenceEventShape: EventShape = {
  type: 'presence',
  variant: ({ slim_presence }) => (slim_presence ? 'slim' : ''),
  render(event, variant) {
    const { type, server_timestamp, news } = event as unknown as PresenceNews
    return news.map(({ user_id, email, report }) => ({
      type,
      user_id,
      ...(variant !== 'slim' && { email }),
      server_timestamp,
      presence: { [report.client]: report },
    }))
  },
}
