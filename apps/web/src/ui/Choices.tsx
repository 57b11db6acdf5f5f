import './Choices.css'
import { useId } from 'preact/hooks'

export interface Choice<Value> {
  value: Value
  text: string
  /** One sentence about the value. */
  hint?: string
}

export interface ChoicesProps<Value> {
  label: string
  choices: readonly Choice<Value>[]
  value: Value
  onChange: (value: Value) => void
  isDisabled?: boolean
}

/** A choice of one of a few values, each with a sentence about it. */
export function Choices<Value extends string | number>(properties: ChoicesProps<Value>) {
  const { label, choices, value, onChange, isDisabled } = properties
  const name = useId()
  return (
    <fieldset class="Choices" disabled={isDisabled}>
      <legend class="Field-label">{label}</legend>
      {choices.map((choice, index) => (
        <label key={choice.value} class="Choices-choice">
          <input
            type="radio"
            name={name}
            value={String(choice.value)}
            checked={choice.value === value}
            aria-labelledby={`${name}-${index}-text`}
            aria-describedby={choice.hint ? `${name}-${index}-hint` : undefined}
            onChange={() => onChange(choice.value)}
          />
          <span class="Choices-text" id={`${name}-${index}-text`}>
            {choice.text}
          </span>
          {choice.hint && (
            <span class="Choices-hint" id={`${name}-${index}-hint`}>
              {choice.hint}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
