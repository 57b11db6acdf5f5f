import type { Db } from './database.ts'

type Reads = readonly (() => Promise<unknown>)[]
type ResultsOf<List extends Reads> = { -readonly [Index in keyof List]: Awaited<ReturnType<List[Index]>> }

/**
 * Runs reads concurrently on several connections. In a transaction, which has only one connection, runs them
 * one after another.
 */
export async function readTogether<const List extends Reads>(db: Db, reads: List): Promise<ResultsOf<List>> {
  if (!db.isTransaction) return (await Promise.all(reads.map((read) => read()))) as ResultsOf<List>
  const results: unknown[] = []
  for (const read of reads) results.push(await read())
  return results as ResultsOf<List>
}
