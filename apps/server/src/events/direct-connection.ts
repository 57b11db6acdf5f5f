import pg from 'pg'
import { connectionOptions, defaultDatabaseTimeoutMs } from '../platform/database/database.ts'
import type { Log } from '../platform/observe/log.ts'
import { FailureLog } from '../platform/observe/log.ts'
import { Backoff } from '../platform/retry.ts'

const sessionSettings = "set synchronous_commit = on; set idle_in_transaction_session_timeout = '30s'"
const reconnectBackoff = { firstMs: 100, maxMs: 1_000 }

/**
 * Keeps one session with PostgreSQL outside the pool and reconnects when it breaks. Needed for session state,
 * such as an advisory lock or a channel to listen to. Its `application_name` contains the process id, to
 * distinguish the nodes of one machine.
 */
export class DirectConnection {
  readonly #options: pg.ClientConfig
  readonly #failures: FailureLog
  #client: pg.Client | undefined
  #isStopping = false
  #retry: NodeJS.Timeout | undefined
  readonly #backoff = new Backoff(reconnectBackoff)
  #connectedAt = 0
  /** The newest error of a session or a reconnect, which tells callers why there is no session. */
  #lostBy: unknown
  #previousQuery: Promise<unknown> = Promise.resolve()
  #onLostClient: (error: Error) => void = () => {}
  /**
   * Runs on every new session before any query. If it rejects, the session is closed and another one is
   * opened.
   */
  onConnect: (client: pg.Client) => Promise<void> = async () => {}
  /**
   * Runs when a session was lost, before the reconnect. The locks and channels of the session are gone by
   * then.
   */
  onLost: () => void = () => {}

  constructor(databaseUrl: string, name: string, log: Log, connectTimeoutMs = defaultDatabaseTimeoutMs) {
    this.#options = {
      ...connectionOptions(databaseUrl),
      application_name: `${name} ${process.pid}`,
      connectionTimeoutMillis: connectTimeoutMs,
      query_timeout: 10_000,
    }
    this.#failures = new FailureLog(log, {
      failed: `${name}: the session with PostgreSQL broke`,
      recovered: `${name}: the session with PostgreSQL is back`,
    })
  }

  /** Connects. Rejects if the first attempt fails; later reconnects are retried with backoff until `stop`. */
  async start(): Promise<void> {
    await this.#connect()
  }

  get client(): pg.Client | undefined {
    return this.#client
  }

  /**
   * Runs a query, after the earlier queries of all callers. Rejects if there is no session, instead of
   * waiting for one.
   */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    const result = this.#previousQuery.then(async () => {
      if (!this.#client) throw new Error('Connection terminated', { cause: this.#lostBy })
      return (await this.#client.query<Row>(text, values)).rows
    })
    this.#previousQuery = result.catch((error: Error) => {
      if (error.message === 'Query read timeout') this.#onLostClient(error)
    })
    return result
  }

  /** Closes the session, which releases its locks, and reconnects. */
  drop(error: Error): void {
    this.#onLostClient(error)
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#options)
    let isLost = false
    const lost = (error?: Error) => {
      if (isLost) return
      isLost = true
      void closeClient(client)
      if (this.#client !== client) return
      this.#client = undefined
      this.#lostBy = error
      // Keeps the backoff if the session broke soon after it was opened, as happens on a standby.
      if (performance.now() - this.#connectedAt > reconnectBackoff.maxMs) this.#backoff.reset()
      this.onLost()
      if (this.#isStopping) return
      this.#failures.failed(error ?? new Error('the server closed the connection'))
      this.#scheduleReconnect()
    }
    client.on('error', lost)
    client.on('end', () => lost())
    this.#onLostClient = lost
    await client.connect()
    await client.query(sessionSettings).catch((error) => {
      lost(error)
      throw error
    })
    if (this.#isStopping) return closeClient(client)
    this.#client = client
    this.#connectedAt = performance.now()
    this.#failures.succeedsAfter(reconnectBackoff.maxMs)
    try {
      await this.onConnect(client)
    } catch (error) {
      lost(error as Error)
      throw error
    }
  }

  #scheduleReconnect(): void {
    if (this.#retry || this.#isStopping) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#connect().catch((error: unknown) => {
        this.#lostBy = error
        if (!this.#isStopping) this.#failures.failed(error)
        this.#scheduleReconnect()
      })
    }, this.#backoff.next())
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#retry)
    const client = this.#client
    this.#client = undefined
    if (client) await closeClient(client)
  }
}

/**
 * Ends the session. Destroys the socket after a second, because a server that vanished never acknowledges the
 * end.
 */
async function closeClient(client: pg.Client): Promise<void> {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  const timer = setTimeout(() => connection?.stream?.destroy(), 1_000)
  await client.end().catch(() => {})
  clearTimeout(timer)
}
