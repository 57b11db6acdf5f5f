import './SearchField.css'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { loadRecent } from '../client/conversations/recent.ts'
import { openRoute, route } from '../client/route/router.ts'
import { firstTerms } from '../client/route/search.ts'
import { focusMessages } from '../composer/focus.ts'
import { Typeahead } from '../composer/Typeahead.tsx'
import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { Icon } from '../ui/Icon.tsx'
import { optionId } from '../ui/option-id.ts'
import { describeChip, isWrong } from './chip-text.ts'
import { prepareNames } from './find-names.ts'
import { typedNames } from './names.ts'
import { type Chip, readSearch, readTyped, routeOfSearch, type SearchQuery } from './query.ts'
import { suggestTerms, type TermSuggestion } from './suggest-terms.ts'

/** Whether the field gets the focus again when the view of its results is shown. */
let keepsFocus = false

/** Returns the search that the view shows; for a new search, the terms with which it was opened. */
function readInitialSearch(): SearchQuery {
  const current = route.peek()
  if (current.view === 'narrow') return readSearch(current)
  const chips = firstTerms.peek()
  firstTerms.value = []
  return { chips, text: '' }
}

/** The search field: chips for conditions, a text, and suggestions for both. Enter searches. */
export function SearchField() {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const initial = useSignal(readInitialSearch()).peek()
  const chips = useSignal(initial.chips)
  const text = useSignal(initial.text)
  const isOpen = useSignal(false)
  /** Index of the suggestion that Enter takes; -1 if Enter searches. */
  const chosen = useSignal<number | undefined>(undefined)
  const wrong = useSignal<readonly string[]>([])
  const { suggestions, start, isOperand } = suggestTerms(text.value, chips.value)
  const isShown = isOpen.value && suggestions.length > 0
  const active = Math.min(chosen.value ?? (isOperand ? 0 : -1), suggestions.length - 1)
  useEffect(() => {
    const isNew = route.peek().view === 'search'
    if (isNew || keepsFocus) input.current?.focus()
    isOpen.value = isNew && chips.peek().length === 0
    keepsFocus = false
    void loadRecent()
    return prepareNames()
  }, [])
  const type = (typed: string) => {
    text.value = typed
    chosen.value = undefined
    wrong.value = []
    isOpen.value = true
  }
  const search = (query: SearchQuery) => {
    const read = readTyped(query.text, typedNames)
    wrong.value = read.wrong.map((token) => token.text)
    if (wrong.value.length > 0) return
    isOpen.value = false
    chips.value = [...query.chips, ...read.chips]
    text.value = read.text
    keepsFocus = true
    openRoute(routeOfSearch({ chips: chips.value, text: read.text }))
  }
  const take = ({ insert, chips: added }: TermSuggestion) => {
    type(text.value.slice(0, start) + insert)
    if (added) chips.value = [...chips.value, ...added]
    isOpen.value = added === undefined
    input.current?.focus()
  }
  const remove = (removed: Chip, searches: boolean) => {
    chips.value = chips.value.filter((chip) => chip !== removed)
    input.current?.focus()
    if (searches && route.peek().view === 'narrow') search({ chips: chips.value, text: text.value })
  }
  const press = (event: KeyboardEvent) => {
    const suggestion = isShown ? suggestions[active] : undefined
    const last = chips.value.at(-1)
    if (event.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (isShown) chosen.value = stepIn(suggestions.length, active, step)
      isOpen.value = true
    } else if (event.key === 'Enter') {
      if (suggestion) take(suggestion)
      else search({ chips: chips.value, text: text.value })
    } else if (event.key === 'Tab' && suggestion && !event.shiftKey) take(suggestion)
    else if (event.key === 'Escape' && isShown) isOpen.value = false
    else if (event.key === 'Escape') focusMessages()
    else if (event.key === 'Backspace' && text.value === '' && last) remove(last, false)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: `search` is not known to all screen readers yet.
    <form
      class="SearchField"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        search({ chips: chips.value, text: text.value })
      }}
    >
      <div class="SearchField-box">
        <Icon name="search" />
        <div class="SearchField-words">
          {chips.value.map((chip) => {
            const name = describeChip(chip)
            return (
              <button
                key={name}
                type="button"
                class="SearchField-chip"
                data-wrong={isWrong(chip) || undefined}
                aria-label={t(isWrong(chip) ? 'search.remove_wrong' : 'search.remove', { condition: name })}
                onClick={() => remove(chip, true)}
              >
                <bdi>{name}</bdi>
                <Icon name="x" />
              </button>
            )
          })}
          <input
            ref={input}
            class="SearchField-input"
            type="text"
            role="combobox"
            enterkeyhint="search"
            aria-label={t('search.field')}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-expanded={isShown}
            aria-controls={isShown ? id : undefined}
            aria-activedescendant={isShown && active >= 0 ? optionId(id, active) : undefined}
            aria-invalid={wrong.value.length > 0 || undefined}
            aria-describedby={wrong.value.length > 0 ? `${id}-wrong` : undefined}
            autocomplete="off"
            spellcheck={false}
            placeholder={chips.value.length === 0 ? t('search.hint') : ''}
            value={text.value}
            onInput={({ currentTarget }) => type(currentTarget.value)}
            onKeyDown={press}
            onBlur={() => {
              isOpen.value = false
            }}
          />
        </div>
        <IconButton icon="arrow-right" label={t('search.submit')} type="submit" />
      </div>
      {isShown && (
        <Typeahead
          id={id}
          label={t('search.suggestions')}
          suggestions={suggestions}
          active={active}
          onChoose={take}
        />
      )}
      {wrong.value.length > 0 && (
        <p class="SearchField-wrong" id={`${id}-wrong`} role="alert">
          {t('search.wrong', { terms: wrong.value.join(' ') })}
        </p>
      )}
      <span class="Spoken" role="status">
        {isShown && t('ui.matches', { count: suggestions.length })}
      </span>
    </form>
  )
}

/** Returns the next index in a list, wrapping around. The index -1 (no choice) comes before the first. */
const stepIn = (count: number, index: number, step: 1 | -1): number =>
  ((index + 1 + step + count + 1) % (count + 1)) - 1
