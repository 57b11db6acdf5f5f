import { signal } from '@preact/signals'

/** Whether the list of keyboard shortcuts is open. */
export const showsKeys = signal(false)

/** Whether the dialog is open that asks for a day to go to. */
export const asksDate = signal(false)
