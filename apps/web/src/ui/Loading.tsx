import './Loading.css'
import { t } from '../text/t.ts'
import { Button } from './Button.tsx'
import { Notice } from './Notice.tsx'

/** Placeholders for rows that are being loaded. They appear only if loading takes a while. */
export function RowsLoading({ count = 3 }: { count?: number }) {
  return (
    <div class="RowsLoading" role="status" aria-label={t('ui.loading')}>
      {Array.from({ length: count }, (_, index) => (
        <span key={index} class="RowsLoading-row" />
      ))}
    </div>
  )
}

/** Shown in place of rows that could not be loaded. */
export function RowsFailed({ problem, onRetry }: { problem: string; onRetry: () => void }) {
  return (
    <Notice look="danger">
      <p>{problem}</p>
      <Button look="plain" icon="refresh-cw" onClick={onRetry}>
        {t('messages.retry')}
      </Button>
    </Notice>
  )
}
