import pg from 'pg'

/** Prefix of statements that are planned for one use; `readAdHoc` adds it. */
export const adHocPrefix = '/* ad hoc */ '

/**
 * Prefix of statements that are planned once for a session, without the values of parameters; `readPlannedOnce` adds
 * it.
 */
export const plannedOncePrefix = '/* planned once */ '

/** How long an ad hoc statement may run, in milliseconds, unless a node is started with another limit. */
export const defaultAdHocTimeoutMs = 2_000

/** Statement that applies the time limit of ad hoc statements to the rest of a transaction. */
export const limitLikeAdHoc = '/* limit like ad hoc */'

/**
 * Otherwise PostgreSQL would plan the first five uses in each session, and all uses if it expects the general plan to
 * be a little slower, although planning takes longer than reading a page.
 */
const useGenericPlan = 'set local plan_cache_mode = force_generic_plan'

export interface PreparingClientConfig extends pg.ClientConfig {
  adHocTimeoutMs?: number | undefined
}

/**
 * Exceeds the number of statements in the code. Limits PostgreSQL's memory if some code generates statement
 * texts.
 */
const maxStatements = 1_000
/** Limits the statements that are planned once, because their plans are large. Further ones are planned for each use. */
const maxPlannedOnce = 120

/** Names of prepared statements by their text, the same on every connection. */
class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #prefix: string
  readonly #maxNames: number

  constructor(prefix: string, maxNames: number) {
    this.#prefix = prefix
    this.#maxNames = maxNames
  }

  /** Returns the name of a statement; undefined for new texts beyond the maximum. */
  get(text: string): string | undefined {
    const cached = this.#names.get(text)
    if (cached || this.#names.size >= this.#maxNames) return cached
    const name = `${this.#prefix}${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}

const names = new StatementNames('s', maxStatements)
const plannedOnceNames = new StatementNames('p', maxPlannedOnce)

/**
 * Long lists are not prepared: a generic plan is made without their length and may scan the list once per row
 * of the table, which took half a minute for ten thousand ids.
 */
const isLongList = (value: unknown): boolean => Array.isArray(value) && value.length > 50

type ConnectCallback = ((error: Error) => void) | ((error: null, client: pg.Client) => void)
type Query = (text: string, values: unknown[]) => Promise<pg.QueryResult>

/**
 * Prepares every statement on first use, except ad hoc ones. PostgreSQL otherwise parses and plans each
 * execution, which takes longer than running it: one connection served 13,700 key lookups per second with
 * prepared statements, and 8,300 without.
 */
export class PreparingClient extends pg.Client {
  /** Part of statement names. Increased when a migration has made the prepared statements unusable. */
  #generation = 0
  readonly #limitStatements: string

  constructor(config?: PreparingClientConfig) {
    super(config)
    this.#limitStatements = `set local statement_timeout = ${config?.adHocTimeoutMs ?? defaultAdHocTimeoutMs}`
    // The pool listens to errors only after `connect`. If a session broke earlier, its unhandled error event
    // would end the process. The failed statement reports the same error.
    this.on('error', () => {})
    const plain = super.query.bind(this) as (...args: unknown[]) => unknown
    this.query = ((...args: unknown[]) => {
      const [text, values] = args
      const isKysely = args.length === 2 && typeof text === 'string' && Array.isArray(values)
      if (!isKysely) return plain(...args)
      if (text === limitLikeAdHoc) return plain(this.#limitStatements)
      if (text.startsWith(adHocPrefix)) return this.#runLimited(plain, text, values)
      if (text.startsWith(plannedOncePrefix)) return this.#runPlannedOnce(plain, text, values)
      return this.#prepared(plain, text, values)
    }) as typeof this.query
  }

  /** Disables JIT, because compiling takes longer than running any statement of the server. */
  override connect(): Promise<pg.Client>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.Client> | undefined {
    const ready = super.connect().then(() => this.query('set jit = off'))
    if (!callback) return ready.then(() => this)
    ready.then(
      () => (callback as (error: null, client: pg.Client) => void)(null, this),
      callback as (error: Error) => void,
    )
    return undefined
  }

  /** Plans the statement for this use only, and lets PostgreSQL cancel it after the time limit. */
  async #runLimited(plain: (...args: unknown[]) => unknown, text: string, values: unknown[], name?: string) {
    if (this.getTransactionStatus() !== 'I') return plain({ text, values })
    // The limit is local to a transaction, so that it cannot stay with the session, even behind a pooler.
    await plain(`begin read only; ${this.#limitStatements}${name ? `; ${useGenericPlan}` : ''}`)
    try {
      return await plain({ text, values, ...(name && { name }) })
    } finally {
      // After an error, `commit` rolls the transaction back.
      await plain('commit')
    }
  }

  /** Runs a statement with a plan that the session makes once, and with the time limit of ad hoc statements. */
  async #runPlannedOnce(plain: (...args: unknown[]) => unknown, text: string, values: unknown[]) {
    const run = () => {
      const name = plannedOnceNames.get(text)
      return this.#runLimited(plain, text, values, name && `${name}_${this.#generation}`)
    }
    try {
      return await run()
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.#generation++
      // Reading again does no harm, and a transaction of the caller is retried by `inTransaction`.
      if (this.getTransactionStatus() !== 'I') throw error
      return run()
    }
  }

  async #prepared(plain: (...args: unknown[]) => unknown, text: string, values: unknown[]) {
    const run: Query = (text, values) => {
      const name = values.some(isLongList) ? undefined : names.get(text)
      return plain({
        text,
        values,
        ...(name && { name: `${name}_${this.#generation}` }),
      }) as ReturnType<Query>
    }
    try {
      return await run(text, values)
    } catch (error) {
      if (!isStalePlan(error)) throw error
      this.#generation++
      // A failed transaction cannot continue here; `inTransaction` retries it.
      if (this.getTransactionStatus() !== 'I') throw error
      return run(text, values)
    }
  }
}

/** Whether a migration changed the result type of a prepared statement. */
export function isStalePlan(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return code === '0A000' && message === 'cached plan must not change result type'
}
