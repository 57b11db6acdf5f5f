import { signal } from '@preact/signals'

/** Key of the target whose composer gets the focus when it is shown next. */
export const focusedOnOpen = signal<string | undefined>(undefined)
