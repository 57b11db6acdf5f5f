import { signal } from '@preact/signals'

/** The dialog for a new message, while it is open: whether streams or people are offered first. */
export const newMessage = signal<'stream' | 'private' | undefined>(undefined)

export function closeWriting(): void {
  newMessage.value = undefined
}
