import type { UserId } from '@oxbow/contract'
import { formatShortDateTime, formatTime, formatTimeIn } from '../client/formats/dates.ts'
import { dayOf } from '../client/formats/local-time.ts'
import { today } from '../client/formats/today.ts'
import type { Presence } from '../client/people/judge-presence.ts'
import type { Person } from '../client/people/people.ts'
import { userStatuses } from '../client/store.ts'
import { t } from '../text/t.ts'

/** Names the role of a person. */
export function describeRole({ is_owner, is_admin, is_guest, is_bot }: Person): string {
  if (is_bot) return t('person.bot')
  if (is_owner) return t('person.owner')
  if (is_admin) return t('person.administrator')
  return is_guest ? t('person.guest') : t('person.member')
}

/** Describes whether a person is active, or since when they are not. */
export function describePresence({ availability, lastSeen }: Presence, isAway: boolean): string {
  if (isAway) return t('presence.away')
  if (availability === 'active') return t('presence.active')
  if (availability === 'idle') return t('presence.idle')
  return lastSeen === undefined ? t('presence.offline') : t('presence.seen', { time: describeTime(lastSeen) })
}

const describeTime = (time: number): string =>
  dayOf(time) === today.value ? formatTime(time) : formatShortDateTime(time)

export const isAway = (user_id: UserId): boolean => userStatuses.value?.[user_id]?.away === true

/** Returns the status text of a person; undefined if there is none. */
export const statusOf = (user_id: UserId): string | undefined =>
  userStatuses.value?.[user_id]?.status_text || undefined

/** Returns the local time of a person; undefined if their time zone is unknown. */
export const describeLocalTime = (timezone: string | undefined): string | undefined => {
  const time = timezone ? formatTimeIn(timezone, Date.now()) : undefined
  return time === undefined ? undefined : t('person.local_time', { time })
}
