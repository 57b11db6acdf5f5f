import { signal } from '@preact/signals'

/** Id of the message whose text is being edited in its row. */
export const editedMessage = signal<number | undefined>(undefined)
