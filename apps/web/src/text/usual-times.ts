import { t } from './t.ts'

export interface UsualTime {
  readonly text: string
  readonly time: Date
}

/** Lists common times, in the time zone of this device. */
export const listUsualTimes = (): UsualTime[] => [
  { text: t('times.in_an_hour'), time: new Date(Date.now() + 3_600_000) },
  { text: t('times.tomorrow_morning'), time: at(1, 9) },
  { text: t('times.tomorrow_afternoon'), time: at(1, 15) },
  { text: t('times.next_week'), time: at(7, 9) },
]

/** Returns the time a number of days from today at an hour, in the time zone of this device. */
function at(days: number, hour: number): Date {
  const time = new Date()
  time.setDate(time.getDate() + days)
  time.setHours(hour, 0, 0, 0)
  return time
}

/** Formats a time for `datetime-local` fields: in the time zone of this device, to the minute. */
export function toFieldValue(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
