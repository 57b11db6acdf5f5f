import type { Db } from './database.ts'

interface PendingLookup<Key, Row> {
  key: Key
  resolve: (row: Row | undefined) => void
  reject: (error: unknown) => void
}

/**
 * Reads many keys with one statement. Returns one row per key, in the order of the keys; undefined
 * if not found.
 */
export type LoadMany<Key, Row> = (db: Db, keys: Key[]) => Promise<(Row | undefined)[]>

const maxKeysPerStatement = 500
/**
 * Two statements may be in flight, so that PostgreSQL gets the next one while it still executes the first.
 */
const maxStatementsInFlight = 2

/**
 * Returns a lookup of a single key, which shares statements with concurrent lookups. A single call is sent
 * to PostgreSQL at once; calls made while two statements are in flight share the next one. Each lookup still
 * reads after it was called, so results are never older than without sharing.
 */
export function coalesce<Key, Row>(load: LoadMany<Key, Row>): (db: Db, key: Key) => Promise<Row | undefined> {
  const groups = new WeakMap<Db, LookupBatcher<Key, Row>>()
  return (db, key) => {
    const group = groups.get(db) ?? new LookupBatcher(db, load)
    groups.set(db, group)
    return group.add(key)
  }
}

class LookupBatcher<Key, Row> {
  readonly #db: Db
  readonly #load: LoadMany<Key, Row>
  #waiting: PendingLookup<Key, Row>[] = []
  #inFlight = 0
  #isScheduled = false

  constructor(db: Db, load: LoadMany<Key, Row>) {
    this.#db = db
    this.#load = load
  }

  add(key: Key): Promise<Row | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Row | undefined>()
    this.#waiting.push({ key, resolve, reject })
    this.#schedule()
    return promise
  }

  /** Waits until this iteration of the event loop has read all requests that arrived together. */
  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#inFlight >= maxStatementsInFlight) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      void this.#runBatch(this.#waiting.splice(0, maxKeysPerStatement))
      this.#schedule()
    })
  }

  async #runBatch(batch: PendingLookup<Key, Row>[]): Promise<void> {
    this.#inFlight++
    try {
      const rows = await this.#load(
        this.#db,
        batch.map(({ key }) => key),
      )
      for (const [index, { resolve }] of batch.entries()) resolve(rows[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#inFlight--
    this.#schedule()
  }
}
