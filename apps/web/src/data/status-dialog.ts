import { signal } from '@preact/signals'

/** Whether the dialog for the user's status is open. */
export const isStatusOpen = signal(false)
