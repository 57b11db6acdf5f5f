/** An unparsed webhook request from another service. */
export interface Delivery {
  /** The whole body, which is needed to verify signatures. */
  readonly body: Buffer
  readonly contentType: string | undefined
  readonly query: ReadonlyMap<string, string>
  /** Form fields; empty if the body is not a form. */
  readonly form: ReadonlyMap<string, string>
  header(name: string): string | undefined
}
