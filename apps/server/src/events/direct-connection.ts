import pg from 'pg'
import { connectionOptions } from '../platform/database/database.ts'
import { FailureLog } from '../platform/failure-log.ts'
import type { Log } from '../platform/log.ts'

const settings = "set synchronous_commit = on; set idle_in_transaction_session_timeout = '30s'"
const patience = { first: 100, longest: 2_000 }

/**
 * One session with PostgreSQL, made again when it breaks. For what needs a session of its own: a lock that is held, a
 * channel that is listened to. The process id in its name tells nodes of one machine apart.
 */
export class DirectConnection {
  readonly #options: pg.ClientConfig
  readonly #failures: FailureLog
  #client: pg.Client | undefined
  #isStopping = false
  #retry: NodeJS.Timeout | undefined
  #delay = patience.first
  #connectedAt = 0
  #last: Promise<unknown> = Promise.resolve()
  #drop: (error: Error) => void = () => {}
  /** Runs on every new session before anything else does. */
  onConnect: (client: pg.Client) => Promise<void> = async () => {}
  /** Runs when a session is gone. */
  onLost: () => void = () => {}

  constructor(databaseUrl: string, name: string, log: Log) {
    this.#options = {
      ...connectionOptions(databaseUrl),
      application_name: `${name} ${process.pid}`,
      connectionTimeoutMillis: 5_000,
      query_timeout: 10_000,
    }
    this.#failures = new FailureLog(log, {
      failed: `${name}: the session with PostgreSQL broke`,
      recovered: `${name}: the session with PostgreSQL is back`,
    })
  }

  /** The first session must succeed; later ones are made as soon as they can be. */
  async start(): Promise<void> {
    await this.#connect()
  }

  get client(): pg.Client | undefined {
    return this.#client
  }

  /** One after the other, whoever asks. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> {
    const result = this.#last.then(async () => {
      if (!this.#client) throw new Error('Connection terminated')
      return (await this.#client.query<Row>(text, values)).rows
    })
    this.#last = result.catch((error: Error) => {
      if (error.message === 'Query read timeout') this.#drop(error)
    })
    return result
  }

  /** Gives the session up; another one is made. */
  drop(error: Error): void {
    this.#drop(error)
  }

  async #connect(): Promise<void> {
    const client = new pg.Client(this.#options)
    let isLost = false
    const lost = (error?: Error) => {
      if (isLost) return
      isLost = true
      void leave(client)
      if (this.#client !== client) return
      this.#client = undefined
      // A session that breaks right after it was made, as on a standby, must not be made again at once.
      if (performance.now() - this.#connectedAt > patience.longest) this.#delay = patience.first
      this.onLost()
      if (this.#isStopping) return
      this.#failures.failed(error ?? new Error('the server closed the connection'))
      this.#again()
    }
    client.on('error', lost)
    client.on('end', () => lost())
    this.#drop = lost
    await client.connect()
    await client.query(settings).catch((error) => {
      lost(error)
      throw error
    })
    if (this.#isStopping) return leave(client)
    this.#client = client
    this.#connectedAt = performance.now()
    this.#failures.succeedsAfter(patience.longest)
    try {
      await this.onConnect(client)
    } catch (error) {
      lost(error as Error)
      throw error
    }
  }

  #again(): void {
    if (this.#retry || this.#isStopping) return
    this.#retry = setTimeout(() => {
      this.#retry = undefined
      this.#connect().catch((error: unknown) => {
        if (!this.#isStopping) this.#failures.failed(error)
        this.#again()
      })
    }, this.#delay)
    this.#delay = Math.min(this.#delay * 2, patience.longest)
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    clearTimeout(this.#retry)
    const client = this.#client
    this.#client = undefined
    if (client) await leave(client)
  }
}

/** A server that vanished never answers our good-bye. */
async function leave(client: pg.Client): Promise<void> {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  const giveUp = setTimeout(() => connection?.stream?.destroy(), 1_000)
  await client.end().catch(() => {})
  clearTimeout(giveUp)
}
