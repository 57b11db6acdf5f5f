import { signal } from '@preact/signals'

/** A sign-out that is not over: it waits for the person, for the server, or has failed. */
export type SigningOut =
  /** Messages that were not sent would be lost. */
  | { readonly status: 'asks'; readonly unsentCount: number }
  /** The server has not answered for a moment. */
  | { readonly status: 'waits'; cancel(): void }
  | { readonly status: 'failed'; readonly reason: string }

export const signingOut = signal<SigningOut | undefined>(undefined)
