import { useEffect, useState } from 'preact/hooks'
import { t } from '../text/t.ts'
import { Button } from './Button.tsx'

/** The button shows the result for this long. */
const shownMs = 2_000

export interface CopyButtonProps {
  /** The text that a click copies. */
  text: string
  /** Text of the button; by default "Copy". */
  action?: string
  /** Name for screen readers, needed if several buttons have the same text; by default the text. */
  label?: string
}

/** A button that copies a text, and shows for a moment whether that succeeded. */
export function CopyButton({ text, action = t('message.copy'), label = action }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), shownMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    )
  return (
    <Button icon="copy" aria-label={outcome ? undefined : label} onClick={() => void copy()}>
      <span role="status">
        {outcome === 'copied'
          ? t('message.copied')
          : outcome === 'failed'
            ? t('message.copy_failed')
            : action}
      </span>
    </Button>
  )
}
