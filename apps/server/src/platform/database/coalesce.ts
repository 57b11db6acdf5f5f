import type { Db } from './database.ts'

interface Waiting<Key, Row> {
  key: Key
  resolve: (row: Row | undefined) => void
  reject: (error: unknown) => void
}

/** Reads many keys with one statement; the rows stand in the order of the keys. */
export type LoadMany<Key, Row> = (db: Db, keys: Key[]) => Promise<(Row | undefined)[]>

const mostKeys = 500
/** While PostgreSQL works on one, the next can be on its way. */
const mostUnderWay = 2

/**
 * Turns a lookup of many keys into one of a single key. A lone call goes to PostgreSQL at once; calls that come while
 * statements are under way wait for one of them and then share the next, as commits share a flush. Each still reads after it
 * was made, so nothing is older than it would be alone, and a busy node asks a fraction as often.
 */
export function coalesce<Key, Row>(load: LoadMany<Key, Row>): (db: Db, key: Key) => Promise<Row | undefined> {
  const groups = new WeakMap<Db, Group<Key, Row>>()
  return (db, key) => {
    const group = groups.get(db) ?? new Group(db, load)
    groups.set(db, group)
    return group.add(key)
  }
}

class Group<Key, Row> {
  readonly #db: Db
  readonly #load: LoadMany<Key, Row>
  #waiting: Waiting<Key, Row>[] = []
  #underWay = 0
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

  /** Requests that arrived together are read from their sockets in one turn of the event loop, so its end is waited for. */
  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#underWay >= mostUnderWay) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#ask(this.#waiting.splice(0, mostKeys))
      this.#schedule()
    })
  }

  async #ask(batch: Waiting<Key, Row>[]): Promise<void> {
    this.#underWay++
    try {
      const rows = await this.#load(
        this.#db,
        batch.map(({ key }) => key),
      )
      for (const [index, { resolve }] of batch.entries()) resolve(rows[index])
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#underWay--
    this.#schedule()
  }
}
