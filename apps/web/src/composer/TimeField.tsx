import { localTimeOf, offsetOf } from '../client/formats/local-time.ts'
import { timezone } from '../client/store.ts'
import { t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'

export interface TimeFieldProps {
  label: string
  /** A time in the account's time zone, as `toFieldValue` returns it. */
  value: string
  problem: string | undefined
  onInput: (value: string) => void
}

/** A field for a future time. It names the account's time zone if the clock of the device shows another time. */
export const TimeField = ({ label, value, problem, onInput }: TimeFieldProps) => (
  <Field label={label} hint={hasOtherClock() && t('later.zone', { zone: nameZone() })} problem={problem}>
    <input
      type="datetime-local"
      min={toFieldValue(Date.now())}
      max="9999-12-31T23:59"
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  </Field>
)

/** Formats a time for a field: in the account's time zone, to the minute. */
export const toFieldValue = (time: number | Date): string => localTimeOf(time).slice(0, 16)

const hasOtherClock = (now = new Date()): boolean =>
  offsetOf(now.getTime()) !== -now.getTimezoneOffset() * 60_000

const nameZone = (): string => (timezone.value ?? '').replaceAll('_', ' ')
