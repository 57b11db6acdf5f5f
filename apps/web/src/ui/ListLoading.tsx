import './ListLoading.css'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../text/t.ts'

/** A placeholder is shown only if loading takes longer than this. */
const placeholderDelayMs = 150

/** Placeholders for a list that is being loaded. */
export function ListLoading() {
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), placeholderDelayMs)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div class="ListLoading" role="status" aria-label={t('messages.loading')}>
      {isShown && [3, 1, 2, 4, 1, 2, 3, 2].map((lines, index) => <Block key={index} lines={lines} />)}
    </div>
  )
}

const Block = ({ lines }: { lines: number }) => (
  <div class="ListLoading-row" aria-hidden="true">
    <span class="ListLoading-face" />
    <span class="ListLoading-name" />
    {Array.from({ length: lines }, (_, line) => (
      <span key={line} class="ListLoading-line" data-last={line === lines - 1 || undefined} />
    ))}
  </div>
)
