/** A message of the generator. Times are milliseconds of one clock. */
interface Sent {
  /** When the schedule said to send it. */
  due: number
  startedAt: number
  /** Undefined until the server acknowledged it. */
  acknowledgedAt?: number
  isRefused?: true
  /** Positions of the people who must receive it. */
  audience: ReadonlySet<number>
}

/** A span in which one queue received events. */
interface Period {
  openedAt: number
  closedAt: number
}

/** Messages that one client received. */
export interface Reader {
  person: number
  periods: Period[]
  received: Set<number>
  /** The latest start of a received message. */
  newestStart: number
}

export interface Verdict {
  sends: number
  deliveries: number
  /** Messages that were acknowledged and that a client never received. */
  lost: number
  twice: number
  /** Messages that arrived after one that was sent only when they had been acknowledged. */
  outOfOrder: number
  /** Messages for other people, or that the server refused. */
  unexpected: number
}

/** A queue that is closed sooner than this after a message may have missed it: it is in the state of the next one. */
const graceMs = 30_000

/** Knows from memberships which client must receive which message, and compares that with what arrived. */
export class Truth {
  readonly #sent: Sent[] = []
  readonly #readers: Reader[] = []
  #twice = 0
  #outOfOrder = 0
  #unexpected = 0
  #deliveries = 0

  /** Returns the number of a message that is about to be sent. */
  begin(due: number, startedAt: number, audience: ReadonlySet<number>): number {
    return this.#sent.push({ due, startedAt, audience }) - 1
  }

  acknowledge(number: number, at: number): void {
    const sent = this.#sent[number]
    if (sent) sent.acknowledgedAt = at
  }

  refuse(number: number): void {
    const sent = this.#sent[number]
    if (sent) sent.isRefused = true
  }

  addReader(person: number): Reader {
    const reader: Reader = { person, periods: [], received: new Set(), newestStart: 0 }
    this.#readers.push(reader)
    return reader
  }

  /** Notes an arrival, and returns the milliseconds since the message was due; undefined for an unknown message. */
  arrive(reader: Reader, number: number, at: number): number | undefined {
    const sent = this.#sent[number]
    if (!sent?.audience.has(reader.person)) {
      this.#unexpected++
      return undefined
    }
    if (reader.received.has(number)) this.#twice++
    if ((sent.acknowledgedAt ?? Number.POSITIVE_INFINITY) < reader.newestStart) this.#outOfOrder++
    reader.received.add(number)
    reader.newestStart = Math.max(reader.newestStart, sent.startedAt)
    this.#deliveries++
    return at - sent.due
  }

  /** Returns the number of deliveries that are still missing. */
  countMissing(): number {
    const readers = Map.groupBy(this.#readers, ({ person }) => person)
    let missing = 0
    for (const [number, sent] of this.#sent.entries())
      for (const person of sent.audience)
        for (const reader of readers.get(person) ?? [])
          if (isOwed(sent, reader) && !reader.received.has(number)) missing++
    return missing
  }

  judge(): Verdict {
    const refused = this.#sent.flatMap(({ isRefused }, number) => (isRefused ? [number] : []))
    const delivered = refused.filter((number) => this.#readers.some(({ received }) => received.has(number)))
    return {
      sends: this.#sent.filter(({ acknowledgedAt }) => acknowledgedAt !== undefined).length,
      deliveries: this.#deliveries,
      lost: this.countMissing(),
      twice: this.#twice,
      outOfOrder: this.#outOfOrder,
      unexpected: this.#unexpected + delivered.length,
    }
  }
}

function isOwed({ acknowledgedAt, startedAt }: Sent, { periods }: Reader): boolean {
  if (acknowledgedAt === undefined) return false
  return periods.some(({ openedAt, closedAt }) => startedAt > openedAt && acknowledgedAt + graceMs < closedAt)
}
