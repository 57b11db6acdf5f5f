import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Refusal, readRefusal } from '../text/refusal.ts'

export interface Form<Field extends string> {
  /** Error messages by field. */
  readonly problems: Partial<Record<Field, string>>
  /** A refusal that concerns no particular field. */
  readonly refusal: string | undefined
  /** The confirmation shown after success. */
  readonly done: string | undefined
  readonly isBusy: boolean
  /** Properties of the `<form>`. */
  readonly attributes: { onSubmit: (event: Event) => void; noValidate: true }
}

export interface FormOptions<Field extends string> {
  /** Submits the form. Returns the confirmation to show, or `undefined` to show none. */
  submit: (values: Record<Field, string>, form: HTMLFormElement) => Promise<string | undefined>
  /** Returns the field that a refusal concerns, with the text to show beside it. */
  findProblems: (refusal: Refusal) => Partial<Record<Field, string>> | undefined
}

/**
 * Returns an error for an empty required field. It looks like a refusal of the server, but no
 * request is made.
 */
export const missingField = (name: string): Error =>
  Object.assign(new Error(name), { body: { msg: name }, errorName: name })

/**
 * Makes the fields of a saved form show later changes again, for example those of another tab. Browsers keep what
 * was typed into a field.
 */
export function followChanges(form: HTMLFormElement): void {
  for (const field of form.querySelectorAll('input')) field.defaultValue = field.value
  form.reset()
}

/**
 * State of a form with a submit button. Refusals are shown beside the field that they concern,
 * which gets the focus.
 */
export function useForm<Field extends string>({ submit, findProblems }: FormOptions<Field>): Form<Field> {
  const problems = useSignal<Partial<Record<Field, string>>>({})
  const refusal = useSignal<string | undefined>(undefined)
  const done = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const isSending = useRef(false)
  const send = async (form: HTMLFormElement) => {
    const values = Object.fromEntries(new FormData(form)) as Record<Field, string>
    problems.value = {}
    refusal.value = undefined
    done.value = undefined
    isSending.current = true
    isBusy.value = true
    try {
      done.value = await submit(values, form)
    } catch (error) {
      const refused = readRefusal(error)
      const problemsByField = findProblems(refused)
      if (problemsByField) problems.value = problemsByField
      else refusal.value = refused.reason
      const [name] = Object.keys(problemsByField ?? {})
      form.querySelector<HTMLElement>(`[name="${name}"]`)?.focus()
    } finally {
      isSending.current = false
      isBusy.value = false
    }
  }
  return {
    problems: problems.value,
    refusal: refusal.value,
    done: done.value,
    isBusy: isBusy.value,
    attributes: {
      noValidate: true,
      onSubmit: (event) => {
        event.preventDefault()
        if (!isSending.current) void send(event.currentTarget as HTMLFormElement)
      },
    },
  }
}
