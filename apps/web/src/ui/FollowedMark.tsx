import './FollowedMark.css'
import { t } from '../text/t.ts'
import { Icon } from './Icon.tsx'

/** Marks a topic in a list as one that the account follows. */
export function FollowedMark() {
  return (
    <span class="FollowedMark">
      <Icon name="bell-ring" />
      <span class="Spoken">{t('topic.is_followed')}</span>
    </span>
  )
}
