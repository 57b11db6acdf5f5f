import './Combobox.css'
import { useId, useState } from 'preact/hooks'
import { t } from '../text/t.ts'
import { Listbox, type Option } from './Listbox.tsx'
import { findNextItem } from './menu-keys.ts'
import { optionId } from './option-id.ts'

export interface ComboboxProps {
  label: string
  /** The typed text. */
  value: string
  onInput: (value: string) => void
  /** The options that match the text, best first. */
  options: readonly Option[]
  onChoose: (option: Option) => void
  placeholder?: string
  /** Set by the `Field` around it. */
  id?: string
  class?: string
}

/**
 * A field with suggestions, as the ARIA practices define it: arrow keys choose, Enter accepts, Esc
 * closes the list.
 */
export function Combobox(properties: ComboboxProps) {
  const { label, value, onInput, options, onChoose, placeholder, id, class: more } = properties
  const list = useId()
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const shown = isOpen && options.length > 0
  const choose = (option: Option) => {
    setOpen(false)
    onChoose(option)
  }
  const handleKey = (event: KeyboardEvent) => {
    if (event.isComposing) return
    const option = options[active]
    if (event.key === 'Escape' && shown) {
      event.stopPropagation()
      setOpen(false)
    } else if (event.key === 'Enter' && shown && option) {
      event.preventDefault()
      choose(option)
    } else if (event.key === 'Enter' && value !== '') {
      // Enter chooses an option and must not submit the form.
      event.preventDefault()
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (!shown) setOpen(true)
      else
        setActive(
          findNextItem(
            event.key,
            active,
            options.map(({ text }) => text),
          ) ?? 0,
        )
    }
  }
  return (
    <div class="Combobox">
      <input
        type="text"
        {...(id && { id })}
        class={more ?? 'Field-input'}
        role="combobox"
        aria-label={id ? undefined : label}
        aria-autocomplete="list"
        aria-expanded={shown}
        aria-controls={list}
        aria-activedescendant={shown ? optionId(list, active) : undefined}
        autocomplete="off"
        placeholder={placeholder}
        value={value}
        onInput={({ currentTarget }) => {
          setActive(0)
          setOpen(true)
          onInput(currentTarget.value)
        }}
        onKeyDown={handleKey}
        onBlur={() => setOpen(false)}
      />
      <div class="Combobox-list" hidden={!shown}>
        <Listbox id={list} label={label} options={shown ? options : []} active={active} onChoose={choose} />
      </div>
      <span class="Spoken" role="status">
        {isOpen && (options.length > 0 ? t('ui.matches', { count: options.length }) : t('ui.no_matches'))}
      </span>
    </div>
  )
}
