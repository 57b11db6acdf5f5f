import '../ui/Choices.css'
import './EventFields.css'
import { t } from '../text/t.ts'
import { Button } from '../ui/Button.tsx'

/** More events are listed only on request, so that the URL below them stays in sight. */
const maxNamesShown = 6

export interface EventFieldsProps {
  names: readonly string[]
  excluded: ReadonlySet<string>
  onChange: (excluded: ReadonlySet<string>) => void
}

/** A checkbox for each event that a service can post. */
export function EventFields({ names, excluded, onChange }: EventFieldsProps) {
  const change = (name: string, isChosen: boolean) => {
    const next = new Set(excluded)
    if (isChosen) next.delete(name)
    else next.add(name)
    onChange(next)
  }
  return (
    <div class="EventFields">
      <details open={names.length <= maxNamesShown}>
        <summary>
          <span class="Field-label">{t('webhook.events')}</span>{' '}
          {t('webhook.events_chosen', { chosen: names.length - excluded.size, all: names.length })}
        </summary>
        <fieldset class="Choices" aria-label={t('webhook.events')}>
          {names.map((name) => (
            <label key={name} class="Choices-choice">
              <input
                type="checkbox"
                checked={!excluded.has(name)}
                onChange={({ currentTarget }) => change(name, currentTarget.checked)}
              />
              <span class="Choices-text">{name}</span>
            </label>
          ))}
        </fieldset>
        <div class="EventFields-actions">
          <Button onClick={() => onChange(new Set())}>{t('webhook.events_all')}</Button>
          <Button onClick={() => onChange(new Set(names))}>{t('webhook.events_none')}</Button>
        </div>
      </details>
      {excluded.size === names.length && (
        <p class="Field-problem" role="alert">
          {t('webhook.events_missing')}
        </p>
      )}
    </div>
  )
}
