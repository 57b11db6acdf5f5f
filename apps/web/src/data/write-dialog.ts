import { signal } from '@preact/signals'

/** Which recipients the open dialog for a new message lists first; undefined while it is closed. */
export const newMessage = signal<'stream' | 'private' | undefined>(undefined)

export function closeWriting(): void {
  newMessage.value = undefined
}
