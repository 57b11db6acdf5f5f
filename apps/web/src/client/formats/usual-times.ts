import { t } from '../../text/t.ts'
import { addDays, dayOf, timeAt } from './local-time.ts'

export interface UsualTime {
  readonly text: string
  readonly time: Date
}

/** Lists common times, in the account's time zone. */
export const listUsualTimes = (): UsualTime[] => [
  { text: t('times.in_an_hour'), time: new Date(Date.now() + 3_600_000) },
  { text: t('times.tomorrow_morning'), time: at(1, '09:00') },
  { text: t('times.tomorrow_afternoon'), time: at(1, '15:00') },
  { text: t('times.next_week'), time: at(7, '09:00') },
]

/** Returns the time of a clock a number of days from today, in the account's time zone. */
const at = (days: number, clock: string): Date =>
  new Date(timeAt(`${addDays(dayOf(Date.now()), days)}T${clock}`))
