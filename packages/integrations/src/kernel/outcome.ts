/** What becomes of a delivery. */
export type Outcome = Messages | Ignored | Unsupported | Refused

export interface Messages {
  readonly kind: 'messages'
  readonly messages: readonly Said[]
  /** What the answer to the sender holds beside success. */
  readonly answer?: Readonly<Record<string, unknown>>
}

export interface Said {
  /** As in `events`, for filters. */
  readonly event?: string
  readonly topic: string
  readonly content: string
  /** Goes before the `stream` of the URL. */
  readonly stream?: string
  /** One of those whom `people` named: it is for them alone. Whoever is not known here is told nothing. */
  readonly person?: string
}

/** On purpose: the sender is told that all is well. */
export interface Ignored {
  readonly kind: 'ignored'
}

/** Something that the translation does not know, in the service's words. */
export interface Unsupported {
  readonly kind: 'unsupported'
  readonly event: string
}

/** With a text for the sender's log. `lacks`: the path of what is missing or of another kind. */
export interface Refused {
  readonly kind: 'refused'
  readonly reason:
    | { readonly lacks: string }
    | { readonly text: string }
    | { readonly header: string }
    | BadOption
}

export interface BadOption {
  readonly option: string
  readonly value: string
}

export const say = (...messages: readonly Said[]): Messages => ({ kind: 'messages', messages })

/** No message; the sender hears this. */
export const answer = (fields: Readonly<Record<string, unknown>>): Messages => ({
  kind: 'messages',
  messages: [],
  answer: fields,
})

export const ignore = (): Ignored => ({ kind: 'ignored' })

export const unsupported = (event: string): Unsupported => ({ kind: 'unsupported', event })

export const refuse = (text: string): Refused => ({ kind: 'refused', reason: { text } })
