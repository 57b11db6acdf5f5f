import type { WindowMessage } from '@oxbow/sdk/windows'
import { signal } from '@preact/signals'

/** A dialog about a message. */
export interface OpenDialog {
  readonly kind: 'move' | 'delete' | 'history' | 'source'
  readonly message: WindowMessage
}

export const openDialog = signal<OpenDialog | undefined>(undefined)

export function closeDialog(): void {
  openDialog.value = undefined
}
