/** From an outbox id to before another; still open where there is no other. */
export interface Period<Value> {
  value: Value
  from: number
  to: number | null
}

/** What someone was when: a lookup by outbox id, for any record however old. */
export class Periods<Value> {
  #periods: Period<Value>[]

  constructor(periods: Period<Value>[] = []) {
    this.#periods = periods.toSorted((a, b) => a.from - b.from)
  }

  at(outboxId: number): Value | undefined {
    return this.#periods.findLast(({ from, to }) => from <= outboxId && (to === null || outboxId < to))?.value
  }

  /** Whether it was anything by then, at any time. */
  everBefore(outboxId: number): boolean {
    const [first] = this.#periods
    return first !== undefined && first.from <= outboxId
  }

  /** From here on it is this; undefined ends what is open. What is known already changes nothing. */
  change(at: number, value: Value | undefined): void {
    if (this.#periods.some(({ from, to }) => from >= at || (to !== null && to >= at))) return
    const open = this.#periods.at(-1)
    if (open?.to === null) open.to = at
    if (value !== undefined) this.#periods.push({ value, from: at, to: null })
  }

  values(): Set<Value> {
    return new Set(this.#periods.map(({ value }) => value))
  }
}
