import './ChipField.css'
import { useSignal } from '@preact/signals'
import { t } from '../text/t.ts'
import { Combobox } from './Combobox.tsx'
import { Field, type FieldProps } from './Field.tsx'
import { Icon } from './Icon.tsx'
import type { Option } from './Listbox.tsx'

export interface ChipFieldProps extends Omit<FieldProps, 'children'> {
  placeholder: string
  chosen: readonly Option[]
  /** Returns the options that match the typed text, best first. */
  find: (query: string) => readonly Option[]
  onAdd: (id: string) => void
  onRemove: (id: string) => void
}

/** Chooses several items by typing their names; chosen items are listed below the field. */
export function ChipField(properties: ChipFieldProps) {
  const { placeholder, chosen, find, onAdd, onRemove, ...field } = properties
  const query = useSignal('')
  return (
    <div class="ChipField">
      <Field {...field}>
        <Combobox
          label={field.label}
          value={query.value}
          placeholder={placeholder}
          options={find(query.value)}
          onInput={(text) => {
            query.value = text
          }}
          onChoose={({ id }) => {
            query.value = ''
            onAdd(id)
          }}
        />
      </Field>
      {chosen.length > 0 && (
        <ul class="ChipField-chosen" aria-label={field.label}>
          {chosen.map(({ id, text }) => (
            <li key={id}>
              <button
                type="button"
                class="ChipField-chip"
                aria-label={t('write.remove', { name: text })}
                onClick={() => onRemove(id)}
              >
                <bdi>{text}</bdi>
                <Icon name="x" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
