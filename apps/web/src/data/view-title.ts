import { signal } from '@preact/signals'

/** Title of the present view; empty until one is shown. */
export const viewTitle = signal('')
