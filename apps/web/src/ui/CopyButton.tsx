import { useEffect, useState } from 'preact/hooks'
import { t } from '../text/t.ts'
import { Button } from './Button.tsx'

/** How long the button shows the result. */
const shownMs = 2_000

export interface CopyButtonProps {
  /** Copied by a click. */
  text: string
  /** Says what is copied; "Copy" without it. */
  action?: string
  /** Name for screen readers, where several buttons have the same action. */
  label?: string
}

/** Copies a text, and confirms it for a moment. */
export function CopyButton({ text, action = t('message.copy'), label }: CopyButtonProps) {
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
