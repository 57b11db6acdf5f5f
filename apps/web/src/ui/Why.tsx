import './Why.css'
import { useState } from 'preact/hooks'
import { readRefusal } from '../text/refusal.ts'
import { t } from '../text/t.ts'
import { Icon } from './Icon.tsx'
import { Popover } from './Popover.tsx'

/** The reason why something is not allowed. */
export interface Explanation {
  /** The rule in one sentence. */
  sentence: string
  /** Values that the rule depends on: role, policy, dates. */
  facts?: readonly { name: string; value: string }[]
  /** Link to the documentation of permissions. */
  href?: string
}

/**
 * A button beside a disabled control that explains why it is disabled. The reason is fetched on a
 * click.
 */
export function Why({ subject, ask }: { subject: string; ask: () => Promise<Explanation> }) {
  const [answer, setAnswer] = useState<Explanation | { problem: string }>()
  const open = () => {
    if (!answer || 'problem' in answer)
      ask().then(setAnswer, (error: unknown) => setAnswer({ problem: readRefusal(error).reason }))
  }
  return (
    <Popover
      label={t('ui.why_label', { subject })}
      button={(properties) => (
        <button
          type="button"
          class="Why"
          aria-label={t('ui.why_label', { subject })}
          onClick={open}
          {...properties}
        >
          <Icon name="circle-question-mark" />
          {t('ui.why')}
        </button>
      )}
    >
      <div class="Why-answer" aria-live="polite">
        {answer && ('problem' in answer ? answer.problem : <Answer {...answer} />)}
      </div>
    </Popover>
  )
}

function Answer({ sentence, facts = [], href }: Explanation) {
  return (
    <>
      <p>{sentence}</p>
      {facts.length > 0 && (
        <dl class="Why-facts">
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {href && <a href={href}>{t('ui.explain')}</a>}
    </>
  )
}
