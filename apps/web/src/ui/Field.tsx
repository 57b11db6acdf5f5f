import './Field.css'
import type { ComponentChildren, VNode } from 'preact'
import { cloneElement } from 'preact'
import { useId } from 'preact/hooks'
import { t } from '../text/t.ts'

export interface FieldProps {
  label: string
  hint?: ComponentChildren
  /** Error message: the problem with the value, and how to correct it. */
  problem?: string | undefined
  isOptional?: boolean
  /** An `<input>`, `<textarea>` or `<select>`. */
  children: VNode<Record<string, unknown>>
}

/** A control with its label, a hint and an error message, connected for screen readers. */
export function Field({ label, hint, problem, isOptional, children }: FieldProps) {
  const id = useId()
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div class="Field">
      <label class="Field-label" for={id}>
        {label}
        {isOptional && <span class="Field-optional"> {t('ui.optional')}</span>}
      </label>
      {cloneElement(children, {
        id,
        class: 'Field-input',
        'aria-describedby': described || undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {hint && (
        <p class="Field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="Field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
