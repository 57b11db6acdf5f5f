import './Lines.css'
import { t } from '../text/t.ts'

/**
 * Separates the messages that were unread when the view was opened from earlier ones. It stays until
 * the view is left.
 */
export function UnreadLine({ count }: { count: number }) {
  return (
    <li class="UnreadLine">
      <span>{t('messages.new_line', { count })}</span>
    </li>
  )
}
