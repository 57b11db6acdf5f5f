import './Lines.css'
import { formatDay } from '../text/dates.ts'
import { dayOf } from '../text/local-time.ts'

/** Separates messages of different days. */
export function DayLine({ time }: { time: number }) {
  return (
    <li class="DayLine">
      <time dateTime={dayOf(time)}>{formatDay(time)}</time>
    </li>
  )
}
