import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Refusal, readRefusal } from '../text/refusal.ts'

export interface Form<Field extends string> {
  /** Says what is wrong with a field. */
  readonly problems: Partial<Record<Field, string>>
  /** A refusal that belongs to no field. */
  readonly refusal: string | undefined
  /** Says what was done, after it succeeded. */
  readonly done: string | undefined
  readonly isBusy: boolean
  /** Properties of the `<form>`. */
  readonly attributes: { onSubmit: (event: Event) => void; noValidate: true }
}

export interface FormOptions<Field extends string> {
  /** Does what the form is for. Returns the sentence that says it was done; `undefined` for none. */
  submit: (values: Record<Field, string>, form: HTMLFormElement) => Promise<string | undefined>
  /** Returns the field that a refusal is about, with the text to show beside it. */
  place: (refusal: Refusal) => Partial<Record<Field, string>> | undefined
}

/** A form that is sent by its button. Refusals are shown beside the field that they are about, which gets the focus. */
export function useForm<Field extends string>({ submit, place }: FormOptions<Field>): Form<Field> {
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
      const placed = place(refused)
      if (placed) problems.value = placed
      else refusal.value = refused.reason
      const [name] = Object.keys(placed ?? {})
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
