import type { OrganizationId, PresenceReport, UserId } from '@oxbow/contract'
import type { EventShape, Loaded } from '../../events/event-shape.ts'
import { parseEvent } from '../../events/record.ts'
import { displayEmail } from '../../identity/accounts/public-account.ts'
import type { Config } from '../../platform/config/settings.ts'
import type { Db } from '../../platform/database/database.ts'
import { readPresencePages } from './queries.ts'
import { toReportsOfAllTimes } from './views.ts'

/** A record with all changes of presence that were written together, or of users who appeared to guests. */
export type PresenceChanges = {
  type: 'presence'
  server_timestamp: number
  news: readonly PresenceNews[]
  appeared?: readonly UserId[]
}

interface PresenceNews {
  user_id: UserId
  email: string
  report: PresenceReport
}

export const presenceEventShape = (config: Config): EventShape<PresenceChanges> => ({
  type: 'presence',
  variant: ({ slim_presence }) => (slim_presence ? 'slim' : ''),
  load(db, organization_id, record) {
    const { appeared } = parseEvent(record)
    return appeared ? loadAppeared(config, db, organization_id, appeared as UserId[]) : undefined
  },
  render(event, variant, loaded) {
    const { type, appeared } = event
    const news = appeared ? parseLoaded(loaded) : event.news
    const server_timestamp = appeared ? Date.now() / 1_000 : event.server_timestamp
    return news.map(({ user_id, email, report }) => ({
      type,
      user_id,
      ...(variant !== 'slim' && { email }),
      server_timestamp,
      presence: { [report.client]: report },
    }))
  },
})

/** Loads the presence of users as it is now. Later reports have events of their own. */
async function loadAppeared(
  config: Config,
  db: Db,
  organization_id: OrganizationId,
  ids: readonly UserId[],
): Promise<Loaded> {
  const loaded = new Map<number, string>()
  for await (const people of readPresencePages(db, organization_id, ids))
    for (const person of people) {
      const email = displayEmail(config, person)
      const news = toReportsOfAllTimes(person.reports).map((report) => ({
        user_id: person.id,
        email,
        report,
      }))
      loaded.set(person.id, JSON.stringify(news))
    }
  return loaded
}

const parseLoaded = (loaded: Loaded | undefined): PresenceNews[] =>
  [...(loaded?.values() ?? [])].flatMap((text) => JSON.parse(text) as PresenceNews[])
