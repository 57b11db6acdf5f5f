import { signal } from '@preact/signals'

/** Id of the message whose text is being edited in its row. */
export const editedMessage = signal<number | undefined>(undefined)

/**
 * Whether the user marked messages of the current view as unread; then viewing does not mark them
 * as read again.
 */
export const keepsUnread = signal(false)

/** Id of the message under the pointer or with the focus, whose toolbar is shown. */
export const activeMessage = signal<number | undefined>(undefined)

/** Follows the pointer or the focus into a row, except while a menu of the toolbar is open. */
export function noteActiveRow({ target }: Event): void {
  if (
    !(target instanceof Element) ||
    document.querySelector('.Toolbar ~ :popover-open, .Toolbar :popover-open')
  )
    return
  const row = target.closest<HTMLElement>('.Row[data-id]')
  if (row) activeMessage.value = Number(row.dataset.id)
}
