import type { Db } from './database.ts'

type Reads = readonly (() => Promise<unknown>)[]
type ResultsOf<List extends Reads> = { -readonly [Index in keyof List]: Awaited<ReturnType<List[Index]>> }

/**
 * Runs reads side by side on several connections; in a transaction, which has one, one after
 * another.
 */
export async function readTogether<const List extends Reads>(db: Db, reads: List): Promise<ResultsOf<List>> {
  if (!db.isTransaction) return (await Promise.all(reads.map((read) => read()))) as ResultsOf<List>
  const results: unknown[] = []
  for (const read of reads) results.push(await read())
  return results as ResultsOf<List>
}
