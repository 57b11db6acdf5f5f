import { signal } from '@preact/signals'

/** An open dialog about a stream, or about one of its topics. */
export type StreamDialog =
  | { readonly kind: 'leave' | 'archive'; readonly stream_id: number }
  | { readonly kind: 'delete topic'; readonly stream_id: number; readonly topic: string }

export const streamDialog = signal<StreamDialog | undefined>(undefined)

export function closeStreamDialog(): void {
  streamDialog.value = undefined
}
