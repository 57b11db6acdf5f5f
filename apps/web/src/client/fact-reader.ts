import { type ReadonlySignal, type Signal, signal } from '@preact/signals'

/** A fact, such as the members of a stream, is fetched on first use, and again after this time. */
const freshMs = 60_000

interface Fact<Value> {
  readonly value: Signal<Value | undefined>
  readAt: number
  isBeingRead: boolean
  /** Whether an event changed the fact during the request, so that the response may lack the change. */
  isStale: boolean
}

export interface FactReader<Id, Value> {
  /** Fetches a fact about a stream or a person. The signal is undefined until the server has responded. */
  (id: Id): ReadonlySignal<Value | undefined>
  /** Returns a fact without fetching it; undefined unless it was fetched before. */
  known(id: Id): Value | undefined
  /** Applies an event to a fetched fact. If a request for it is in flight, the fact is fetched again. */
  change(id: Id, change: (value: Value) => Value): void
  /** Fetches a fact again, if it was fetched before. */
  refresh(id: Id): void
}

/** Returns a function that fetches facts of one kind and caches each for `freshMs`. */
export function makeReader<Id extends number, Value>(
  read: (id: Id) => Promise<Value>,
): FactReader<Id, Value> {
  const facts = new Map<Id, Fact<Value>>()
  const start = async (id: Id, fact: Fact<Value>) => {
    fact.isBeingRead = true
    try {
      do {
        fact.isStale = false
        fact.value.value = await read(id)
      } while (fact.isStale)
      fact.readAt = Date.now()
    } catch {
      fact.readAt = 0
    } finally {
      fact.isBeingRead = false
    }
  }
  const factOf = (id: Id): Fact<Value> => {
    const fact = facts.get(id) ?? {
      value: signal<Value | undefined>(undefined),
      readAt: 0,
      isBeingRead: false,
      isStale: false,
    }
    facts.set(id, fact)
    return fact
  }
  const reader = (id: Id): ReadonlySignal<Value | undefined> => {
    const fact = factOf(id)
    if (!fact.isBeingRead && Date.now() - fact.readAt > freshMs) void start(id, fact)
    return fact.value
  }
  return Object.assign(reader, {
    known: (id: Id) => factOf(id).value.value,
    change(id: Id, change: (value: Value) => Value) {
      const fact = facts.get(id)
      if (!fact) return
      fact.isStale = true
      const known = fact.value.peek()
      if (known !== undefined) fact.value.value = change(known)
    },
    refresh(id: Id) {
      const fact = facts.get(id)
      if (!fact || (!fact.isBeingRead && fact.value.peek() === undefined)) return
      fact.isStale = true
      if (!fact.isBeingRead) void start(id, fact)
    },
  })
}
