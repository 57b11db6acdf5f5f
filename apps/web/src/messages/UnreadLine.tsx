import './Lines.css'
import { t } from '../text/t.ts'

/**
 * Marks where the messages begin that were unread when the view was opened. It stays until the view
 * is left.
 */
export function UnreadLine({ count }: { count: number }) {
  return (
    <li class="UnreadLine">
      <span>{t('messages.new_line', { count })}</span>
    </li>
  )
}
