import { t } from '../text/t.ts'
import { IconButton } from '../ui/Button.tsx'
import { closeLinkNotice, linkNotice } from './find-linked.ts'

/** Shows above the list that the linked message was moved or no longer exists. */
export function LinkNotice() {
  const notice = linkNotice.value
  if (!notice) return null
  return (
    <div class="ListTrouble" role="status">
      {notice.kind === 'moved' ? (
        <span>{t('link.moved', { place: notice.place })}</span>
      ) : (
        <span>{t('link.gone')}</span>
      )}
      <IconButton icon="x" label={t('ui.close')} onClick={closeLinkNotice} />
    </div>
  )
}
