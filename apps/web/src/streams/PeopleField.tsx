import './PeopleField.css'
import type { UserId } from '@oxbow/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { nameOf } from '../client/people/names.ts'
import { listPeople } from '../composer/addressees.ts'
import type { Suggestion } from '../composer/suggest.ts'
import { Typeahead } from '../composer/Typeahead.tsx'
import { useTypeahead } from '../composer/use-typeahead.ts'
import { t } from '../text/t.ts'
import { Icon } from '../ui/Icon.tsx'

export interface PeopleFieldProps {
  label: string
  hint?: string
  problem?: string | undefined
  chosen: readonly UserId[]
  onChange: (user_ids: readonly UserId[]) => void
  /** Returns whether a person is not suggested, such as a current member. */
  isExcluded?: (user_id: UserId) => boolean
  isDisabled?: boolean
}

/** A field to choose people by name. Backspace in the empty field removes the last person. */
export function PeopleField(properties: PeopleFieldProps) {
  const { label, hint, problem, chosen, onChange, isExcluded, isDisabled } = properties
  const id = useId()
  const query = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  const found =
    query.value.trim() === ''
      ? []
      : listPeople(
          query.value.trim(),
          (user_id) => chosen.includes(user_id) || isExcluded?.(user_id) === true,
        )
  const choose = ({ key }: Suggestion) => {
    const person = found.find((candidate) => candidate.key === key)
    if (!person) return
    onChange([...chosen, person.id])
    query.value = ''
  }
  const typeahead = useTypeahead(found, choose)
  useEffect(() => {
    // Near the end of a form, the list would open below the visible part of the page.
    if (typeahead.isOpen) document.getElementById(typeahead.id)?.scrollIntoView({ block: 'nearest' })
  }, [typeahead.isOpen, typeahead.id, found.length])
  const remove = (user_id: UserId) => {
    onChange(chosen.filter((candidate) => candidate !== user_id))
    field.current?.focus()
  }
  const described = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div class="PeopleField">
      <label class="Field-label" for={id}>
        {label}
      </label>
      <div class="PeopleField-box" data-disabled={isDisabled || undefined}>
        {chosen.map((user_id) => (
          <button
            key={user_id}
            type="button"
            class="PeopleField-chip"
            aria-label={t('write.remove', { name: nameOf(user_id) })}
            onClick={() => remove(user_id)}
          >
            <bdi>{nameOf(user_id)}</bdi>
            <Icon name="x" />
          </button>
        ))}
        <input
          ref={field}
          id={id}
          class="PeopleField-input"
          type="text"
          role="combobox"
          autocomplete="off"
          disabled={isDisabled}
          placeholder={chosen.length === 0 && !isDisabled ? t('people.type_name') : ''}
          value={query.value}
          aria-expanded={typeahead.isOpen}
          aria-describedby={described || undefined}
          aria-invalid={problem ? true : undefined}
          {...typeahead.attributes}
          onInput={({ currentTarget }) => {
            typeahead.reset()
            query.value = currentTarget.value
          }}
          onKeyDown={(event) => {
            if (typeahead.press(event)) return
            const last = chosen.at(-1)
            if (event.key === 'Backspace' && query.value === '' && last !== undefined) remove(last)
            // Enter chooses a name and must not submit the form.
            if (event.key === 'Enter' && query.value !== '') event.preventDefault()
          }}
        />
        {typeahead.isOpen && (
          <Typeahead
            id={typeahead.id}
            label={label}
            suggestions={found}
            active={typeahead.active}
            onChoose={choose}
          />
        )}
      </div>
      <span class="Spoken" role="status">
        {query.value !== '' &&
          (found.length > 0 ? t('ui.matches', { count: found.length }) : t('ui.no_matches'))}
      </span>
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
