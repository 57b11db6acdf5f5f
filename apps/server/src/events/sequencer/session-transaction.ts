import type pg from 'pg'

/** A transaction on a session that is ours alone, where the pool's `inTransaction` would take another one. */
export async function inSessionTransaction<Result>(
  client: pg.ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
