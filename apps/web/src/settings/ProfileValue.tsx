import type { ProfileField } from '@oxbow/contract'
import { FieldType } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Field } from '../ui/Field.tsx'
import { changeProfileValue } from './change-profile.ts'
import { ProfilePeople } from './ProfilePeople.tsx'

/**
 * One custom field of the user's profile. It is saved when it loses the focus, or when Enter is
 * pressed.
 */
export function ProfileValue({ field, value }: { field: ProfileField; value: string }) {
  const problem = useSignal<string | undefined>(undefined)
  /** The typed text until it is saved. It remains if the server refuses it. */
  const typed = useSignal<string | undefined>(undefined)
  const save = async (changed: string | readonly number[]) => {
    problem.value = undefined
    try {
      await changeProfileValue(field, changed)
      typed.value = undefined
    } catch (error) {
      problem.value = readRefusal(error).reason
    }
  }
  if (field.type === FieldType.people)
    return <ProfilePeople field={field} value={value} problem={problem.value} onChange={save} />
  return (
    <Field label={field.name} hint={field.hint} problem={problem.value}>
      {buildControl(field, {
        value: typed.value ?? value,
        onInput: ({ currentTarget }) => {
          typed.value = currentTarget.value === value ? undefined : currentTarget.value
        },
        onChange: ({ currentTarget }) => void save(currentTarget.value.trim()),
      })}
    </Field>
  )
}

type Control = VNode<Record<string, unknown>>
type Listener = (event: { currentTarget: { value: string } }) => void

interface Controlled {
  value: string
  onInput: Listener
  onChange: Listener
}

function buildControl(field: ProfileField, { value, onInput, onChange }: Controlled): Control {
  const common = { value, onInput, onChange }
  switch (field.type) {
    case FieldType.choice:
      return (
        <select onChange={onChange}>
          <option value="">{t('profile.no_choice')}</option>
          {readChoices(field).map(({ key, text }) => (
            <option key={key} value={key} selected={key === value}>
              {text}
            </option>
          ))}
        </select>
      ) as Control
    case FieldType.longText:
      return (<textarea maxLength={500} {...common} />) as Control
    case FieldType.date:
      return (<input type="date" {...common} />) as Control
    case FieldType.url:
      return (<input type="url" {...common} />) as Control
    default:
      return (<input type="text" {...common} />) as Control
  }
}

/** Returns the choices of a field, in their order. */
function readChoices({ field_data }: ProfileField): { key: string; text: string }[] {
  try {
    const choices = JSON.parse(field_data) as Record<string, { text: string; order: string }>
    return Object.entries(choices)
      .map(([key, { text, order }]) => ({ key, text, order: Number(order) }))
      .sort((one, other) => one.order - other.order)
  } catch {
    return []
  }
}
