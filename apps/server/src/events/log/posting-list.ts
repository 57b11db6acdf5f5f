import type { LogRecord } from '../record.ts'

/** Records that share an index key, in log order. Added at the end, dropped at the beginning. */
export class PostingList {
  #records: LogRecord[] = []
  #start = 0

  get size(): number {
    return this.#records.length - this.#start
  }

  add(record: LogRecord): void {
    this.#records.push(record)
  }

  dropFirst(): LogRecord | undefined {
    const record = this.#records[this.#start]
    if (!record) return undefined
    this.#start++
    // Copied only when at least half was dropped, so each record is copied about once.
    if (this.#start > 64 && this.#start * 2 > this.#records.length) {
      this.#records = this.#records.slice(this.#start)
      this.#start = 0
    }
    return record
  }

  /** Yields records with a number above `seq`. */
  *after(seq: number): Generator<LogRecord> {
    for (let index = this.#indexAfter(seq); index < this.#records.length; index++) {
      yield this.#records[index] as LogRecord
    }
  }

  countAfter(seq: number): number {
    return this.#records.length - this.#indexAfter(seq)
  }

  #indexAfter(seq: number): number {
    let low = this.#start
    let high = this.#records.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#records[middle] as LogRecord).seq <= seq) low = middle + 1
      else high = middle
    }
    return low
  }
}
