import type { WindowMessage } from '@oxbow/sdk/windows'
import { signal } from '@preact/signals'

/** A dialog about a message. */
export interface OpenDialog {
  readonly kind: 'move' | 'delete' | 'history' | 'source' | 'remind'
  readonly message: WindowMessage
  /** The messages that the move dialog selects at first. */
  readonly scope?: 'change_one' | 'change_later' | 'change_all'
}

export const openDialog = signal<OpenDialog | undefined>(undefined)

export function closeDialog(): void {
  openDialog.value = undefined
}
