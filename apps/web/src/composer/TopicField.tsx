import './TopicField.css'
import type { StreamId } from '@oxbow/contract'
import { countCharacters, foldTopic, maxLengthOfTopic } from '@oxbow/contract/plain'
import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { topicsOf } from '../client/streams/stream-facts.ts'
import { t } from '../text/t.ts'
import { listTopics, type Suggestion } from './suggest.ts'
import { Typeahead } from './Typeahead.tsx'
import { useTypeahead } from './use-typeahead.ts'

export interface TopicFieldProps {
  stream_id: StreamId
  value: string
  field: RefObject<HTMLInputElement | null>
  describedBy?: string | undefined
  onInput: (topic: string) => void
  /** Called when a topic is chosen, to move the focus to the text. */
  onDone: () => void
}

/** Chooses the topic of a message; suggests the existing topics of the stream, newest first. */
export function TopicField({ stream_id, value, field, describedBy, onInput, onDone }: TopicFieldProps) {
  const hasFocus = useSignal(false)
  /**
   * Whether the user clicked the field or pressed the down arrow. A field that the client focused
   * shows no list until the user types, because it would cover the messages.
   */
  const wantsList = useSignal(false)
  // Topics are fetched on demand, so that they do not delay the first screen.
  const topics =
    hasFocus.value || value !== '' ? (topicsOf(stream_id).value ?? []).map(({ name }) => name) : []
  const existing = topics.find((topic) => foldTopic(topic) === foldTopic(value.trim()))
  const suggestions: Suggestion[] =
    hasFocus.value && existing !== value && (value !== '' || wantsList.value)
      ? listTopics(stream_id, value).map((topic) => ({ key: topic, title: topic, insert: topic }))
      : []
  const choose = ({ insert }: Suggestion) => {
    onInput(insert)
    onDone()
  }
  const typeahead = useTypeahead(suggestions, choose)
  const excess = countCharacters(value.trim()) - maxLengthOfTopic(value)
  return (
    <div class="TopicField">
      {typeahead.isOpen && (
        <Typeahead
          id={typeahead.id}
          label={t('composer.topics')}
          suggestions={suggestions}
          active={typeahead.active}
          onChoose={choose}
        />
      )}
      <label class="TopicField-label">
        <span>{t('composer.topic')}</span>
        <input
          ref={field}
          class="TopicField-input"
          type="text"
          role="combobox"
          value={value}
          placeholder={t('composer.topic_hint')}
          autocomplete="off"
          dir="auto"
          aria-expanded={typeahead.isOpen}
          aria-describedby={describedBy}
          {...typeahead.attributes}
          onFocus={() => {
            hasFocus.value = true
          }}
          onClick={() => {
            wantsList.value = true
          }}
          onBlur={() => {
            hasFocus.value = false
            wantsList.value = false
            // Topic names are case-insensitive: use the existing spelling.
            if (existing !== undefined && existing !== value) onInput(existing)
          }}
          onInput={({ currentTarget }) => {
            typeahead.reset()
            onInput(currentTarget.value)
          }}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') wantsList.value = true
            if (typeahead.press(event) || event.key !== 'Enter' || event.isComposing) return
            event.preventDefault()
            onDone()
          }}
        />
      </label>
      <span class="TopicField-note" data-excess={excess > 0 || undefined}>
        {excess > 0
          ? t('composer.topic_too_long', { count: excess })
          : value.trim() !== '' && existing === undefined && topics.length > 0 && t('composer.new_topic')}
      </span>
    </div>
  )
}
