import { signal } from '@preact/signals'

/** Id of the message whose text is being edited in its row. */
export const editedMessage = signal<number | undefined>(undefined)

/**
 * Whether the user marked messages of the current view as unread. While true, viewing messages does
 * not mark them as read.
 */
export const suspendsReadMarks = signal(false)

/** Id of the message under the pointer or with the focus, whose toolbar is shown. */
export const activeMessage = signal<number | undefined>(undefined)

const isToolbarOpen = (): boolean =>
  document.querySelector('.Toolbar ~ :popover-open, .Toolbar :popover-open') !== null

/**
 * Makes the row under the pointer or with the focus the active one, except while a menu of the
 * toolbar is open.
 */
export function noteActiveRow({ target }: Event): void {
  if (!(target instanceof Element) || isToolbarOpen()) return
  const row = target.closest<HTMLElement>('.Row[data-id]')
  if (row) activeMessage.value = Number(row.dataset.id)
}

/**
 * Clears the active row when the pointer or the focus leaves it, except while a menu of the toolbar
 * is open.
 */
export function forgetActiveRow(): void {
  const focused = document.activeElement?.closest<HTMLElement>('.Row[data-id]')
  if (!isToolbarOpen()) activeMessage.value = focused ? Number(focused.dataset.id) : undefined
}

/** Clears the active row when the user taps, or begins to write, somewhere else. */
export function noteOutside({ target }: Event): void {
  if (!(target instanceof Element) || target.closest('.Row[data-id], dialog, [popover]')) return
  forgetActiveRow()
}
