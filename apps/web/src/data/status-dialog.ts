import { signal } from '@preact/signals'

/** Whether the dialog for the own status is open. */
export const isStatusOpen = signal(false)
