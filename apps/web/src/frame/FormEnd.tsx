import './FormEnd.css'
import { Button, type ButtonProps } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import type { Form } from './use-form.ts'

export interface FormEndProps {
  form: Form<string>
  /** Text of the submit button. */
  action: string
  look?: ButtonProps['look']
}

/** The end of a form: the result of submitting it, and the submit button. */
export function FormEnd({ form, action, look = 'primary' }: FormEndProps) {
  return (
    <div class="FormEnd">
      {form.refusal !== undefined && <Notice look="danger">{form.refusal}</Notice>}
      {form.done !== undefined && <Notice look="success">{form.done}</Notice>}
      <Button look={look} type="submit" disabled={form.isBusy}>
        {action}
      </Button>
    </div>
  )
}
