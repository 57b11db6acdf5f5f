/**
 * A value that was valid from outbox id `from` (inclusive) to `to` (exclusive); `to` is null while it is
 * still valid.
 */
export interface Period<Value> {
  value: Value
  from: number
  to: number | null
}

/** The history of a value, such as a role, by outbox id. Periods do not overlap. */
export class Periods<Value> {
  #periods: Period<Value>[]

  constructor(periods: Period<Value>[] = []) {
    this.#periods = periods.toSorted((a, b) => a.from - b.from)
  }

  /** Returns the value at this outbox id; undefined if there was none. */
  at(outboxId: number): Value | undefined {
    return this.#periods.findLast(({ from, to }) => from <= outboxId && (to === null || outboxId < to))?.value
  }

  /** Whether any period had started by this outbox id, even if it ended before. */
  hasStartedBy(outboxId: number): boolean {
    const [first] = this.#periods
    return first !== undefined && first.from <= outboxId
  }

  /**
   * Ends the current period at this outbox id, and starts one with `value` unless it is undefined. Ignores
   * changes that are already known.
   */
  change(at: number, value: Value | undefined): void {
    if (this.#periods.some(({ from, to }) => from >= at || (to !== null && to >= at))) return
    const open = this.#periods.at(-1)
    if (open?.to === null) open.to = at
    if (value !== undefined) this.#periods.push({ value, from: at, to: null })
  }

  /** Returns all past and present values. */
  values(): Set<Value> {
    return new Set(this.#periods.map(({ value }) => value))
  }
}
