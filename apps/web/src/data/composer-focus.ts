import { signal } from '@preact/signals'

/** Id of the stream whose composer gets the focus when it is shown next. */
export const focusedOnOpen = signal<number | undefined>(undefined)
