import { retry } from '../retry.ts'
import type { Db, Tx } from './database.ts'
import { isStalePlan } from './preparing-client.ts'

/** Serialization failure and deadlock: the transaction was rolled back and may be retried. */
const retryableCodes = new Set(['40001', '40P01'])

/** Thrown by a transaction whose preconditions changed: it is rolled back and retried. */
export class RetryTransaction extends Error {
  readonly code = '40001'
}

const maxAttempts = 6

interface Hooks {
  beforeCommit: (() => Promise<void>)[]
  afterCommit: ((db: Db) => void)[]
}

const hooksByTransaction = new WeakMap<Tx, Hooks>()

/**
 * Runs `work` in a transaction and returns its result. The transaction is retried on deadlocks, serialization
 * failures and `RetryTransaction`, so `work` may run several times and must have no effects outside `tx`.
 */
export function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return retry(() => runOnce(db, work), retries)
}

/** Runs `work` in a transaction that reads one snapshot. `work` may run several times. */
export function inSnapshot<Result>(db: Db, work: (db: Db) => Promise<Result>): Promise<Result> {
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return retry(() => snapshot.execute(work), retries)
}

function isRetryable(error: unknown): boolean {
  return retryableCodes.has((error as { code?: string } | null)?.code ?? '') || isStalePlan(error)
}

const retries = {
  maxAttempts,
  shouldRetry: isRetryable,
  // A random delay, so that conflicting transactions do not collide again.
  delayMs: (attempt: number) => Math.random() * 20 * 2 ** attempt,
}

/** Runs `work` in `db` if that is already a transaction, and otherwise in a new transaction. */
export async function inSameTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db as Tx) : inTransaction(db, work)
}

async function runOnce<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const hooks: Hooks = { beforeCommit: [], afterCommit: [] }
  const result = await db.transaction().execute(async (tx) => {
    hooksByTransaction.set(tx, hooks)
    const done = await work(tx)
    for (const hook of hooks.beforeCommit) await hook()
    return done
  })
  for (const hook of hooks.afterCommit) hook(db)
  return result
}

/**
 * Registers a hook that runs inside the transaction after its work; if it rejects, the transaction
 * is rolled back.
 */
export function beforeCommit(tx: Tx, hook: () => Promise<void>): void {
  getHooks(tx).beforeCommit.push(hook)
}

/** Registers a hook that runs once the transaction has committed. It must not throw. */
export function afterCommit(tx: Tx, hook: (db: Db) => void): void {
  getHooks(tx).afterCommit.push(hook)
}

function getHooks(tx: Tx): Hooks {
  const hooks = hooksByTransaction.get(tx)
  if (!hooks) throw new Error('this transaction was not begun by inTransaction')
  return hooks
}
