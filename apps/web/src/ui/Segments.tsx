import './Segments.css'
import { useId } from 'preact/hooks'
import { Icon } from './Icon.tsx'
import type { IconName } from './icon-names.generated.ts'

export interface SegmentsProps<Value extends string | number> {
  label: string
  value: Value
  options: readonly { value: Value; text: string; icon?: IconName }[]
  onChange: (value: Value) => void
}

/**
 * A choice of one of two to four values, side by side. It consists of native radio buttons: arrow
 * keys choose, and the group is a single tab stop.
 */
export function Segments<Value extends string | number>(properties: SegmentsProps<Value>) {
  const { label, value, options, onChange } = properties
  const name = useId()
  return (
    <fieldset class="Segments">
      <legend class="Segments-label">{label}</legend>
      <div class="Segments-options">
        {options.map((option) => (
          <label key={option.value} class="Segments-option">
            <input
              class="Segments-radio"
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.icon && <Icon name={option.icon} />}
            {option.text}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
