import './FormEnd.css'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import type { Form } from './use-form.ts'

/** The end of a form: the result of submitting it, and the submit button. */
export function FormEnd({ form, action }: { form: Form<string>; action: string }) {
  return (
    <div class="FormEnd">
      {form.refusal !== undefined && <Notice look="danger">{form.refusal}</Notice>}
      {form.done !== undefined && <Notice look="success">{form.done}</Notice>}
      <Button look="primary" type="submit" disabled={form.isBusy}>
        {action}
      </Button>
    </div>
  )
}
