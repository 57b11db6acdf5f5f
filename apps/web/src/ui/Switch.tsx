import './Switch.css'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

export interface SwitchProps {
  label: string
  /** One sentence about the setting. */
  hint?: ComponentChildren
  isOn: boolean
  onChange: (isOn: boolean) => void
  isDisabled?: boolean
}

/** A setting that is on or off and takes effect at once. */
export function Switch({ label, hint, isOn, onChange, isDisabled }: SwitchProps) {
  const id = useId()
  return (
    <div class="Switch">
      <label class="Switch-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="Switch-box"
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={isDisabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {hint && (
        <p class="Switch-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
