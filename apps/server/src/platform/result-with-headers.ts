/** The result of an action with HTTP headers of its own, such as a cookie. It is not saved for retries. */
export class ResultWithHeaders<Fields extends object> {
  readonly fields: Fields
  readonly headers: Readonly<Record<string, string | string[]>>

  constructor(fields: Fields, headers: Readonly<Record<string, string | string[]>>) {
    this.fields = fields
    this.headers = headers
  }
}
