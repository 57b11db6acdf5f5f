import './Typeahead.css'
import { nameOf } from '../client/people/names.ts'
import { Avatar } from '../ui/Avatar.tsx'
import { optionId } from '../ui/option-id.ts'
import { StreamShape } from '../ui/StreamShape.tsx'
import type { Suggestion } from './suggest.ts'

export interface TypeaheadProps {
  id: string
  label: string
  suggestions: readonly Suggestion[]
  active: number
  onChoose: (suggestion: Suggestion) => void
}

/** A field's list of suggestions. The field keeps the focus; arrow keys select a suggestion. */
export function Typeahead({ id, label, suggestions, active, onChoose }: TypeaheadProps) {
  return (
    <div class="Typeahead" id={id} role="listbox" aria-label={label}>
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and refers to the active option.
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
        <div
          key={suggestion.key}
          id={optionId(id, index)}
          class="Typeahead-row"
          role="option"
          aria-selected={index === active}
          // The field must not lose the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(suggestion)}
        >
          {suggestion.picture && <Picture of={suggestion} />}
          <span class="Cut Typeahead-title">
            <bdi>{suggestion.title}</bdi>
          </span>
          {suggestion.detail && (
            <span class="Typeahead-detail">
              <bdi>{suggestion.detail}</bdi>
            </span>
          )}
        </div>
      ))}
    </div>
  )
}

function Picture({ of: { picture } }: { of: Suggestion }) {
  if (picture?.kind === 'person')
    return <Avatar user_id={picture.user_id} url={picture.url} name={nameOf(picture.user_id)} />
  return (
    <span class="Typeahead-picture" aria-hidden="true">
      {picture?.kind === 'stream' && <StreamShape kind={picture.shape} color={picture.color} />}
      {picture?.kind === 'glyph' && picture.text}
      {picture?.kind === 'image' && <img src={picture.url} alt="" />}
    </span>
  )
}
