import './Lines.css'
import { dayOf, formatDay } from '../text/dates.ts'

/** Separates messages of different days. */
export function DayLine({ time }: { time: number }) {
  return (
    <li class="DayLine">
      <time dateTime={dayOf(time)}>{formatDay(time)}</time>
    </li>
  )
}
