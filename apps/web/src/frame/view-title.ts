import { signal } from '@preact/signals'

/** Title of the current view; empty until one is shown. */
export const viewTitle = signal('')
