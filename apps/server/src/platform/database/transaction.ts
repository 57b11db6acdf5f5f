import type { Db, Tx } from './database.ts'
import { isStalePlan } from './preparing-client.ts'

/** Serialization failure, deadlock: PostgreSQL asks to begin again, and nothing of the attempt remains. */
const beginAgain = new Set(['40001', '40P01'])

export async function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      const mayHelp = beginAgain.has((error as { code?: string }).code ?? '') || isStalePlan(error)
      if (attempt === 5 || !mayHelp) throw error
    }
  }
}
