/**
 * Larger webhook bodies are parsed and translated in a thread, because they could block the event
 * loop.
 */
export const maxBytesOnMainThread = 200_000

/** A webhook request from another service, unparsed. */
export interface Delivery {
  /** The whole body, as needed for signatures. */
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly query: ReadonlyMap<string, string>
  /** Form fields; empty if the body is not a form. */
  readonly form: ReadonlyMap<string, string>
  header(name: string): string | undefined
}
