/** The outcome of a delivery. */
export type Outcome = Messages | Ignored | Unsupported | Refused

export interface Messages {
  readonly kind: 'messages'
  readonly messages: readonly OutgoingMessage[]
  /** Additional fields of the response to the sender. */
  readonly responseFields?: Readonly<Record<string, unknown>>
}

/** A message to send, before its topic and content are truncated to their limits. */
export interface OutgoingMessage {
  /** One of the integration's `events`, for the filters `only_events` and `exclude_events`. */
  readonly event?: string
  readonly topic: string
  readonly content: string
  /** The name of the stream. Takes precedence over the `stream` in the URL. */
  readonly stream?: string
  /**
   * One of the names that `people` returned. The message is sent only to that user, and dropped if
   * the user is unknown.
   */
  readonly person?: string
}

/** Ignores the delivery. The sender gets a success response. */
export interface Ignored {
  readonly kind: 'ignored'
}

/** Refuses an event that `translate` does not support. `event` is the name that the service uses. */
export interface Unsupported {
  readonly kind: 'unsupported'
  readonly event: string
}

/**
 * Refuses the delivery with a text for the sender's log. `missingField` is the path of the missing
 * or invalid value.
 */
export interface Refused {
  readonly kind: 'refused'
  readonly reason:
    | { readonly missingField: string }
    | { readonly text: string }
    | { readonly header: string }
    | BadOption
}

interface BadOption {
  readonly option: string
  readonly value: string
}

export const postMessages = (...messages: readonly OutgoingMessage[]): Messages => ({
  kind: 'messages',
  messages,
})

/** Sends no message, and responds to the sender with these fields. */
export const respondWith = (fields: Readonly<Record<string, unknown>>): Messages => ({
  kind: 'messages',
  messages: [],
  responseFields: fields,
})

export const ignore = (): Ignored => ({ kind: 'ignored' })

export const unsupported = (event: string): Unsupported => ({ kind: 'unsupported', event })

export const refuse = (text: string): Refused => ({ kind: 'refused', reason: { text } })
