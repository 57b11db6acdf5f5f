/**
 * The result of an action with additional HTTP headers, such as a cookie. It is not saved for retries with an
 * idempotency key.
 */
export class ResultWithHeaders<Fields extends object> {
  readonly fields: Fields
  readonly headers: Readonly<Record<string, string | string[]>>

  constructor(fields: Fields, headers: Readonly<Record<string, string | string[]>>) {
    this.fields = fields
    this.headers = headers
  }
}
