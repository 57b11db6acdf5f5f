import { optionId } from './option-id.ts'
import './Listbox.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface Option {
  id: string
  /** The option in words, for screen readers and for typing ahead. */
  text: string
  /** Content shown in place of the text, such as a picture with a name. */
  content?: ComponentChildren
}

export interface ListboxProps {
  id: string
  label: string
  options: readonly Option[]
  /** Index of the option that Enter chooses. */
  active: number
  onChoose: (option: Option) => void
}

/** A list of options. The focus stays in the control that filters the list and changes `active`. */
export function Listbox({ id, label, options, active, onChoose }: ListboxProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={id} class="Listbox" role="listbox" aria-label={label}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the control that has the focus.
        <div
          key={option.id}
          id={optionId(id, index)}
          class="Listbox-option"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => onChoose(option)}
        >
          {option.content ?? option.text}
        </div>
      ))}
    </div>
  )
}
