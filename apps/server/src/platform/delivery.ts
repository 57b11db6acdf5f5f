/**
 * Larger bodies are parsed and translated in a thread: their sender chooses how long that takes, and meanwhile nobody
 * else would be served.
 */
export const maxBytesOnMainThread = 200_000

/** What another service sent, as it came. */
export interface Delivery {
  /** All of it, for signatures and for whatever content type it claims. */
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly query: ReadonlyMap<string, string>
  /** The fields, where the body is a form. */
  readonly form: ReadonlyMap<string, string>
  header(name: string): string | undefined
}
