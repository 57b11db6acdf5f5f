import { signal } from '@preact/signals'

/** Path of the help, which the server renders. */
export const helpPath = '/help'

/** Whether the list of keyboard shortcuts is open. */
export const showsKeys = signal(false)

/** Whether the dialog that asks for a day to jump to is open. */
export const asksDate = signal(false)
