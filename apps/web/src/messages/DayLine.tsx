import './Lines.css'
import { dayOf, formatDay } from '../text/dates.ts'

/** Stands where the day changes. */
export function DayLine({ time }: { time: number }) {
  return (
    <li class="DayLine">
      <time dateTime={dayOf(time)}>{formatDay(time)}</time>
    </li>
  )
}
