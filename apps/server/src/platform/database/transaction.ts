import { setTimeout } from 'node:timers/promises'
import type { Db, Tx } from './database.ts'
import { isStalePlan } from './preparing-client.ts'

/** Serialization failure, deadlock: PostgreSQL asks to begin again, and nothing of the attempt remains. */
const beginAgain = new Set(['40001', '40P01'])

/** What the transaction built on is no longer so: it begins again, and nothing of the attempt remains. */
export class BeginAgain extends Error {
  readonly code = '40001'
}

const mostAttempts = 6

interface Hooks {
  beforeCommit: (() => Promise<void>)[]
  afterCommit: ((db: Db) => void)[]
}

const hooksOf = new WeakMap<Tx, Hooks>()

export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(db, work)
    } catch (error) {
      const mayHelp = beginAgain.has((error as { code?: string }).code ?? '') || isStalePlan(error)
      if (attempt === mostAttempts || !mayHelp) throw error
      // Those who stood in each other's way must not meet again in step.
      await setTimeout(Math.random() * 20 * 2 ** attempt)
    }
  }
}

async function once<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const hooks: Hooks = { beforeCommit: [], afterCommit: [] }
  const result = await db.transaction().execute(async (tx) => {
    hooksOf.set(tx, hooks)
    const done = await work(tx)
    for (const hook of hooks.beforeCommit) await hook()
    return done
  })
  for (const hook of hooks.afterCommit) hook(db)
  return result
}

/** The last thing the transaction does, unless its work fails. */
export function beforeCommit(tx: Tx, hook: () => Promise<void>): void {
  getHooks(tx).beforeCommit.push(hook)
}

/** What others may be told of once it is certain. */
export function afterCommit(tx: Tx, hook: (db: Db) => void): void {
  getHooks(tx).afterCommit.push(hook)
}

function getHooks(tx: Tx): Hooks {
  const hooks = hooksOf.get(tx)
  if (!hooks) throw new Error('this transaction was not begun by inTransaction')
  return hooks
}
