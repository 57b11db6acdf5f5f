import './Lines.css'
import { t } from '../text/t.ts'

/** Stands above the first message that was unread when the view was opened, until it is left. */
export function UnreadLine({ count }: { count: number }) {
  return (
    <li class="UnreadLine">
      <span>{t('messages.new_line', { count })}</span>
    </li>
  )
}
