import { ViewFrame } from '../shell/ViewFrame.tsx'
import { t } from '../text/t.ts'
import { Empty } from '../ui/Empty.tsx'

/** Shown for views that the client does not have yet. */
export function NotBuilt() {
  return (
    <ViewFrame title={t('view.not_built_title')}>
      <Empty icon="message-square" title={t('view.not_built_title')} text={t('view.not_built')} />
    </ViewFrame>
  )
}
