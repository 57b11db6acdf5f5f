import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { optionId } from '../ui/option-id.ts'
import type { Suggestion } from './suggest.ts'

export interface TypeaheadState {
  readonly id: string
  readonly active: number
  /** Attributes of the field. */
  readonly attributes: Record<string, string | boolean | undefined>
  /** Handles a key of the field. Returns whether the list used it. */
  press(event: KeyboardEvent): boolean
  /** Reopens the list after further typing. */
  reset(): void
  readonly isOpen: boolean
}

/** Connects a field with its list of suggestions: arrows move, Enter and Tab choose, Esc closes. */
export function useTypeahead(
  suggestions: readonly Suggestion[],
  choose: (suggestion: Suggestion) => void,
): TypeaheadState {
  const id = useId()
  const active = useSignal(0)
  const isClosed = useSignal(false)
  const isOpen = suggestions.length > 0 && !isClosed.value
  const index = Math.min(active.value, suggestions.length - 1)
  const move = (step: number) => {
    active.value = (index + step + suggestions.length) % suggestions.length
  }
  return {
    id,
    active: index,
    isOpen,
    attributes: {
      'aria-autocomplete': 'list',
      'aria-haspopup': 'listbox',
      'aria-controls': isOpen ? id : undefined,
      'aria-activedescendant': isOpen ? optionId(id, index) : undefined,
    },
    press(event) {
      if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false
      const chosen = suggestions[index]
      if (event.key === 'ArrowDown') move(1)
      else if (event.key === 'ArrowUp') move(-1)
      else if (event.key === 'Escape') isClosed.value = true
      else if ((event.key === 'Enter' || event.key === 'Tab') && !event.shiftKey && chosen) choose(chosen)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
    reset() {
      active.value = 0
      isClosed.value = false
    },
  }
}
