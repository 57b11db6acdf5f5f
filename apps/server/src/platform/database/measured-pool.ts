import type pg from 'pg'
import { Semaphore } from '../semaphore.ts'

/** A use of connections. Reads leave some connections to everything else. */
export type ConnectionUse = 'reads' | 'others'

/** Called with the seconds that a caller waited for a connection. */
type ObserveWait = (use: ConnectionUse, seconds: number) => void

/** Share of the connections that reads leave free, so that sends never wait for them. */
const reservedShare = 0.3

/** Lends the connections of one pool to two users, and measures how long callers wait. */
export class MeasuredPool {
  readonly #pool: pg.Pool
  readonly #reads: Semaphore
  #observe: ObserveWait = () => {}

  constructor(pool: pg.Pool) {
    this.#pool = pool
    const size = pool.options.max ?? 1
    const reserved = Math.min(size - 1, Math.max(1, Math.round(size * reservedShare)))
    this.#reads = new Semaphore({ maxConcurrent: size - reserved })
  }

  get totalCount(): number {
    return this.#pool.totalCount
  }

  get idleCount(): number {
    return this.#pool.idleCount
  }

  /** Number of callers that wait for a connection. */
  get waitingCount(): number {
    return this.#pool.waitingCount + this.#reads.countWaiting()
  }

  get options(): { max: number } {
    return { max: this.#pool.options.max ?? 1 }
  }

  onWait(observe: ObserveWait): void {
    this.#observe = observe
  }

  /** Returns the pool as Kysely needs it, for one use. */
  for(use: ConnectionUse) {
    const connect = use === 'reads' ? () => this.#connectToRead() : () => this.#pool.connect()
    return {
      connect: async () => {
        const start = performance.now()
        const client = await connect()
        this.#observe(use, (performance.now() - start) / 1000)
        return client
      },
      end: () => this.#pool.end(),
      options: this.#pool.options,
    }
  }

  /**
   * Lends a connection while fewer than the allowed number are lent for reads. Rejects like the pool if it takes too
   * long.
   */
  #connectToRead(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
    let isAbandoned = false
    const timer = setTimeout(() => {
      isAbandoned = true
      reject(new Error('timeout exceeded when trying to connect'))
    }, this.#pool.options.connectionTimeoutMillis)
    this.#reads
      .run(async () => {
        if (isAbandoned) return
        clearTimeout(timer)
        const client = await this.#pool.connect()
        const returned = Promise.withResolvers<void>()
        // The pool sets `release` anew whenever it lends a connection.
        const release = client.release.bind(client)
        client.release = (error) => {
          returned.resolve()
          release(error)
        }
        resolve(client)
        await returned.promise
      })
      .catch(reject)
    return promise
  }
}
