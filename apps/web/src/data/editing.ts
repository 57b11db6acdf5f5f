import { signal } from '@preact/signals'

/** Id of the message whose text is being edited in its row. */
export const editedMessage = signal<number | undefined>(undefined)

/** Whether the user marked messages of the present view as unread, so that looking does not mark them again. */
export const keepsUnread = signal(false)
