import type pg from 'pg'
import { BoundedCache } from '../../bounded-cache.ts'
import { adHocPrefix, PreparingClient, plannedOncePrefix } from '../../database/preparing-client.ts'
import type { Span } from './tracing.ts'

/** Begins spans for a database session. */
export interface StatementSpans {
  /** Begins a span below `parent`, or below the current span. Returns undefined if there is no such span. */
  begin(name: string, attributes: Record<string, string>, parent?: Span): Span | undefined
  /** Ends the span with the code of an error, but not its message, which may contain data. */
  fail(span: Span, error: unknown): void
}

type Run = (...args: unknown[]) => Promise<unknown>

/** More than the number of statements in the code. */
const maxNames = 1_000

/**
 * Returns the class of sessions that trace the transactions and statements of Kysely. Statements are named by
 * their kind and their first table or function.
 */
export function makeTracedClient(spans: StatementSpans): typeof PreparingClient {
  const names = new BoundedCache<string, string>(maxNames)
  return class TracedClient extends PreparingClient {
    #transaction: Span | undefined

    constructor(config?: pg.ClientConfig) {
      super(config)
      const plain = this.query as unknown as Run
      this.query = ((...args: unknown[]) => {
        const [text, values] = args
        const isKysely = args.length === 2 && typeof text === 'string' && Array.isArray(values)
        return isKysely ? this.#traced(plain, text, args) : plain(...args)
      }) as typeof this.query
    }

    async #traced(plain: Run, text: string, args: unknown[]): Promise<unknown> {
      const isBegin = /^(begin|start transaction)\b/.test(text)
      if (isBegin) this.#transaction = spans.begin('transaction', { 'db.system.name': 'postgresql' })
      if (isBegin || isEndOfTransaction(text)) return this.#runBoundary(plain, text, args)
      const name = names.getOrMake(text, () => nameStatement(text))
      const span = spans.begin(
        name,
        { 'db.system.name': 'postgresql', 'db.query.summary': name },
        this.#transaction,
      )
      if (!span) return plain(...args)
      try {
        return await plain(...args)
      } catch (error) {
        spans.fail(span, error)
        throw error
      } finally {
        span.end()
      }
    }

    /** Runs a statement that begins or ends a transaction. Its time belongs to the transaction. */
    async #runBoundary(plain: Run, text: string, args: unknown[]): Promise<unknown> {
      const transaction = this.#transaction
      let hasEnded = true
      try {
        const result = await plain(...args)
        hasEnded = isEndOfTransaction(text)
        if (hasEnded) transaction?.set('oxbow.transaction.end', text)
        return result
      } catch (error) {
        if (transaction) spans.fail(transaction, error)
        throw error
      } finally {
        if (hasEnded) {
          transaction?.end()
          this.#transaction = undefined
        }
      }
    }
  }
}

/** Matches the words before a table or function, except the `from` of `extract` and `is distinct from`. */
const beforeTarget =
  /\b(?:(?<!\bextract\s*\(\s*\w+\s+|\bdistinct\s+)from|into|update|call)\s+(?:only\s+)?"?(\w+)"?/i

/** Rolling back to a savepoint does not end the transaction. */
const isEndOfTransaction = (text: string): boolean => text === 'commit' || text === 'rollback'

/**
 * Returns the kind of a statement and the first table or function that it names, like `insert message`. The
 * texts of statements contain no values.
 */
export function nameStatement(text: string): string {
  const prefix = [adHocPrefix, plannedOncePrefix].find((each) => text.startsWith(each)) ?? ''
  const statement = text.slice(prefix.length)
  const kind = /^\s*(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? 'statement'
  const target = beforeTarget.exec(statement)?.[1]
  return target ? `${kind} ${target}` : kind
}
