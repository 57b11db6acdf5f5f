import './EmojiPicker.css'
import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { loadRenderer } from '../client/writing/render.ts'
import { t } from '../text/t.ts'
import { type EmojiChoice, findEmoji } from './emoji-choices.ts'
import { noteEmoji, recentEmoji } from './recent-emoji.ts'

const columns = 8
const maxShown = 200

/**
 * A grid of emoji with a search field. The field has the focus, except on touch screens; its arrow
 * keys select an emoji in the grid.
 */
export function EmojiPicker({ onChoose }: { onChoose: (choice: EmojiChoice) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const query = useSignal('')
  const active = useSignal(0)
  const id = useId()
  useEffect(() => {
    void loadRenderer()
    // On phones the field would open the keyboard, which covers the emoji.
    const isTouched = matchMedia('(pointer: coarse)').matches
    ;(isTouched ? field.current?.parentElement : field.current)?.focus()
  }, [])
  const frequent = query.value === '' ? recentEmoji.value : []
  const names = new Set(frequent.map(({ name }) => name))
  const found = findEmoji(query.value, maxShown).filter(({ name }) => !names.has(name))
  const choices = [...frequent, ...found]
  const choose = (choice: EmojiChoice | undefined) => {
    if (!choice) return
    noteEmoji(choice)
    field.current?.closest<HTMLElement>('[popover]')?.hidePopover()
    onChoose(choice)
  }
  const press = (event: KeyboardEvent) => {
    if (event.isComposing) return
    if (event.key === 'Enter') choose(choices[active.value])
    else {
      const next = moveInGrid(event.key, active.value, choices.length, columns)
      if (next === undefined) return
      active.value = next
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    }
    event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of a field and a list, which is no fieldset of a form.
    <div class="EmojiPicker" role="group" aria-label={t('emoji.choose')} tabIndex={-1} onKeyDown={press}>
      <input
        ref={field}
        class="EmojiPicker-field"
        type="text"
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length > 0 ? `${id}-${active.value}` : undefined}
        placeholder={t('emoji.search')}
        aria-label={t('emoji.search')}
        autocomplete="off"
        onInput={({ currentTarget }) => {
          query.value = currentTarget.value
          active.value = 0
        }}
      />
      <div class="EmojiPicker-list" id={`${id}-list`} role="listbox" aria-label={t('emoji.choose')}>
        {choices.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the picker keeps the focus, and its field names the active option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the picker handles the keys.
          <div
            key={choice.code}
            id={`${id}-${index}`}
            class="EmojiPicker-choice"
            role="option"
            aria-selected={index === active.value}
            aria-label={choice.name.replaceAll('_', ' ')}
            title={`:${choice.name}:`}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(choice)}
          >
            {choice.url === undefined ? choice.glyph : <img src={choice.url} alt="" />}
          </div>
        ))}
      </div>
      <p class="EmojiPicker-name">
        {choices[active.value] ? <bdi dir="ltr">:{choices[active.value]?.name}:</bdi> : t('emoji.none')}
      </p>
    </div>
  )
}

/** Returns the index after an arrow key in a grid that is filled row by row; undefined for other keys. */
function moveInGrid(key: string, index: number, count: number, columns: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
  }
  const step = steps[key]
  if (step === undefined || count === 0) return undefined
  const next = index + step
  return next < 0 || next >= count ? index : next
}
