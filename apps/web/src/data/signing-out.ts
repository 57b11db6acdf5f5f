import { signal } from '@preact/signals'

/** A sign-out in progress: it waits for the user or the server, or has failed. */
export type SigningOut =
  /** Waits for the user, because unsent messages would be lost. */
  | { readonly status: 'confirming'; readonly unsentCount: number }
  /** Waits for the server, which has not responded for a moment. */
  | { readonly status: 'waiting'; cancel(): void }
  | { readonly status: 'failed'; readonly reason: string }

export const signingOut = signal<SigningOut | undefined>(undefined)
