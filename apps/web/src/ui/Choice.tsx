import './Field.css'
import './Choice.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface ChoiceProps<Value extends string | number> {
  label: string
  /** One sentence about the setting. */
  hint?: ComponentChildren
  value: Value
  options: readonly { value: Value; text: string }[]
  onChange: (value: Value) => void
  isDisabled?: boolean
}

/** A setting with a few values, shown as a label and a drop-down list. It takes effect at once. */
export function Choice<Value extends string | number>(properties: ChoiceProps<Value>) {
  const { label, hint, value, options, onChange, isDisabled } = properties
  const id = useId()
  return (
    <div class="Choice">
      <label class="Choice-label" for={id}>
        {label}
      </label>
      <select
        id={id}
        class="Field-input Choice-select"
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex]
          if (chosen) onChange(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.text}
          </option>
        ))}
      </select>
      {hint && (
        <p class="Choice-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
